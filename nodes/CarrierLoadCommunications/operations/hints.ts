import { Duration } from 'luxon';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Parameters } from '../../shared/fields/parameters';
import { limit } from '../fields/limit';

/** Shorter waits are not worth a hint. */
const LONG_WAIT_MS = 5000;

/** More hints would bury the output they are about. */
const MAX_SHOWN = 10;

/**
 * What the user must know about results that look complete, shown as hints above the output. AI
 * agents see no hints, so they get each one as an item.
 */
export class Hints {
	private readonly texts = new Set<string>();
	private readonly waits = new Set<string>();
	private readonly ofItems = new Map<number, string[]>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly itemCount: number,
	) {}

	add(itemIndex: number, text: string | undefined): void {
		if (text === undefined) return;
		this.texts.add(this.named(itemIndex, text));
		this.ofItems.set(itemIndex, [...(this.ofItems.get(itemIndex) ?? []), text]);
	}

	/** Says why it took long: n8n 2.41 can't show a node's progress while it runs. */
	addWait(itemIndex: number, ms: number): void {
		if (ms < LONG_WAIT_MS) return;
		const seconds = Duration.fromObject({ seconds: Math.round(ms / 1000) }, { locale: 'en-US' });
		const time = seconds.rescale().toHuman({ unitDisplay: 'short', listStyle: 'narrow' });
		this.waits.add(this.named(itemIndex, `Waited ${time} because the service was busy (429)`));
	}

	/**
	 * Notices about an item's rows, as items for an agent; none for a workflow. A person sees the
	 * limit, and an empty output. An agent's model doesn't know the limit, and gets an empty text for
	 * no items (langchain nodes of n8n 2.41: `buildObservation`).
	 */
	itemsFor(parameters: Parameters, rows: number): INodeExecutionData[] {
		if (!parameters.forAgent) return [];
		const { itemIndex } = parameters;
		const texts = [...(this.ofItems.get(itemIndex) ?? []), ...aboutRows(parameters, rows)];
		return texts.map((notice) => ({ json: { notice }, pairedItem: { item: itemIndex } }));
	}

	private named(itemIndex: number, text: string): string {
		return this.itemCount > 1 ? `Item ${itemIndex}: ${text}` : text;
	}

	show(): void {
		const texts = [...this.texts, ...this.waits];
		const shown = texts.slice(0, MAX_SHOWN);
		const hidden = texts.length - shown.length;
		if (hidden > 0) shown.push(`There are ${hidden} more hints`);
		// Older versions of n8n have no hints.
		this.context.addExecutionHints?.(
			...shown.map((message) => ({ message, type: 'warning', location: 'outputPane' }) as const),
		);
	}
}

function aboutRows(parameters: Parameters, rows: number): string[] {
	if (rows === 0) return ['Nothing was found.'];
	if (parameters.raw('returnAll') !== false || rows !== limit.read(parameters, 'limit')) return [];
	return [`The list was cut at its limit of ${rows}: there may be more.`];
}
