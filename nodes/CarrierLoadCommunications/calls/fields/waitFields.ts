import type { INodeProperties } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../shared/fields/parameters';

const MINUTE_MS = 60_000;
const DAYS_30_MINUTES = 30 * 24 * 60;
const DEFAULT_LIMIT_MINUTES = 60;
const DEFAULT_INTERVAL_SECONDS = 15;

/** How a run waits for the outcome of its calls. */
export type WaitSettings =
	| { mode: 'no' }
	| { mode: 'webhook'; limitMs: number }
	| { mode: 'polling'; limitMs: number; intervalMs: number };

/**
 * "Wait for Outcome" and its time limit. Events about agent calls carry no metadata (contract 6),
 * so nothing tells which execution waits for them: they can only be polled for.
 */
export function waitFields({ webhook }: { webhook: boolean }): INodeProperties[] {
	const byWebhook = {
		name: 'Until the Webhook Event Arrives',
		value: 'webhook',
		description:
			'The execution rests until the trigger node of this package hands it the event about the call. For one item at a time.',
	};
	return [
		{
			displayName: 'Wait for Outcome',
			name: 'waitForOutcome',
			type: 'options',
			options: [
				{ name: 'No', value: 'no', description: 'Go on as soon as the call is placed' },
				...(webhook ? [byWebhook] : []),
				{
					name: 'Until the Call List Shows It',
					value: 'polling',
					description: 'The node looks in the call list again and again, once for all items',
				},
			],
			default: 'no',
			description: 'Whether to go on with the summary, transcript and recording of the call',
		},
		{
			displayName: 'Wait at Most (Minutes)',
			name: 'waitLimit',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: DAYS_30_MINUTES },
			default: DEFAULT_LIMIT_MINUTES,
			displayOptions: { hide: { waitForOutcome: ['no'] } },
			description: 'When to go on without an outcome; the item then has timedOut set to true',
		},
		{
			displayName: 'Look Every (Seconds)',
			name: 'pollInterval',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 3600 },
			default: DEFAULT_INTERVAL_SECONDS,
			displayOptions: { show: { waitForOutcome: ['polling'] } },
			description: 'How often to look in the call list',
		},
	];
}

/** @throws InvalidParameter for a limit or an interval that is not above zero */
export function readWaitSettings(parameters: Parameters): WaitSettings {
	const mode =
		parameters.optionalChoice({ name: 'waitForOutcome', displayName: 'Wait for Outcome' }, [
			'no',
			'webhook',
			'polling',
		]) ?? 'no';
	if (mode === 'no') return { mode };
	const limitMs =
		MINUTE_MS *
		above0(
			parameters,
			'waitLimit',
			'Wait at Most (Minutes)',
			DEFAULT_LIMIT_MINUTES,
			DAYS_30_MINUTES,
		);
	if (mode === 'webhook') return { mode, limitMs };
	const intervalMs =
		1000 *
		above0(parameters, 'pollInterval', 'Look Every (Seconds)', DEFAULT_INTERVAL_SECONDS, 3600);
	return { mode, limitMs, intervalMs };
}

function above0(
	parameters: Parameters,
	name: string,
	displayName: string,
	otherwise: number,
	max: number,
): number {
	const value = parameters.optionalNumber({ name, displayName }, { min: 0, max }) ?? otherwise;
	if (value > 0) return value;
	throw new InvalidParameter(displayName, 'must be more than 0', value);
}
