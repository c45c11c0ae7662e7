import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readLimit } from '../../shared/fields/paging';
import type { Parameters } from '../../shared/fields/parameters';
import { runsAsTool } from '../../shared/fields/runsAsTool';

/** More hints than these would hide the output that they are about. */
const MAX_SHOWN = 10;

/**
 * What the user must know about results that look complete: shown as hints under the output. An
 * AI agent sees no hints, so for an agent each one is an item of its own.
 */
export class Notices {
	private readonly context: IExecuteFunctions;
	private readonly itemCount: number;
	private readonly texts = new Set<string>();
	private readonly forAgent = new Map<number, string[]>();

	constructor(context: IExecuteFunctions, itemCount: number) {
		this.context = context;
		this.itemCount = itemCount;
	}

	add(itemIndex: number, notice: string | undefined): void {
		if (notice === undefined) return;
		this.texts.add(this.itemCount > 1 ? `Item ${itemIndex}: ${notice}` : notice);
		this.forAgent.set(itemIndex, [...(this.forAgent.get(itemIndex) ?? []), notice]);
	}

	/**
	 * The notices about an item and its rows, as items for an agent; none outside of a tool. A
	 * person sees the limit, and that nothing came: an agent's model knows of no limit, and reads
	 * an empty text for no items (langchain nodes of n8n 2.41: `buildObservation`).
	 */
	itemsFor(parameters: Parameters, rows: number): INodeExecutionData[] {
		if (!runsAsTool(this.context)) return [];
		const { itemIndex } = parameters;
		const notices = [...(this.forAgent.get(itemIndex) ?? []), ...saidOfRows(parameters, rows)];
		return notices.map((notice) => ({ json: { notice }, pairedItem: { item: itemIndex } }));
	}

	show(): void {
		const texts = [...this.texts];
		const shown = texts.slice(0, MAX_SHOWN);
		const hidden = texts.length - shown.length;
		if (hidden > 0) shown.push(`The same holds for ${hidden} more items`);
		// Contexts of older versions of n8n have no hints.
		this.context.addExecutionHints?.(
			...shown.map((message) => ({ message, type: 'warning', location: 'outputPane' }) as const),
		);
	}
}

function saidOfRows(parameters: Parameters, rows: number): string[] {
	if (rows === 0) return ['Nothing was found.'];
	if (parameters.raw('returnAll') !== false || rows !== readLimit(parameters)) return [];
	return [`The list was cut at its limit of ${rows}: there may be more.`];
}
