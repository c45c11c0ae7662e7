import { group, type Field } from '../../shared/fields/field';
import { choice, type Choice, number } from '../../shared/fields/simpleFields';

const DAYS_30_MINUTES = 30 * 24 * 60;

export type WaitSettings =
	| { mode: 'no' }
	| { mode: 'webhook'; limitMs: number }
	| { mode: 'polling'; limitMs: number; intervalMs: number };

const no: Choice<WaitSettings['mode']> = {
	name: 'No',
	value: 'no',
	description: 'Continue as soon as the call is placed',
};
const webhook: Choice<WaitSettings['mode']> = {
	name: 'Until the Webhook Event Arrives',
	value: 'webhook',
	description:
		"Pauses the execution until this package's trigger receives the call's event. For one item at a time.",
};
const polling: Choice<WaitSettings['mode']> = {
	name: 'Until the Call List Shows It',
	value: 'polling',
	description:
		"Polls the call list until every call has an outcome. Meanwhile the execution keeps a place of n8n's concurrency limit, and a restart of n8n ends it.",
};

const waitLimit = number({
	label: 'Wait at Most (Minutes)',
	min: 0,
	aboveMin: true,
	max: DAYS_30_MINUTES,
	default: 60,
	show: { waitForOutcome: ['webhook', 'polling'] },
	about: 'How long to wait before continuing without an outcome (timedOut is then true)',
	unit: 60_000,
});

const pollInterval = number({
	label: 'Poll Every (Seconds)',
	min: 0,
	aboveMin: true,
	max: 3600,
	default: 15,
	show: { waitForOutcome: ['polling'] },
	about: 'How often to check the call list',
	unit: 1000,
});

/** Events about agent calls have no metadata (contract 6), so those calls can only be polled. */
export function waitField(takesMetadata: boolean): Field<WaitSettings> {
	const waitForOutcome = choice({
		label: 'Wait for Outcome',
		choices: takesMetadata ? [no, webhook, polling] : [no, polling],
		default: 'no',
		about: "Whether to wait for the call's outcome (summary, transcript, recording)",
		editor: {
			builderHint: {
				propertyHint:
					'"webhook" needs a published workflow with this package\'s trigger; "polling" needs nothing else. Never add a Wait node and a loop instead.',
			},
		},
	});
	return group({ waitForOutcome, waitLimit, pollInterval }, (read): WaitSettings => {
		const mode = read('waitForOutcome');
		if (mode === 'no') return { mode };
		const limitMs = read('waitLimit');
		return mode === 'webhook'
			? { mode, limitMs }
			: { mode, limitMs, intervalMs: read('pollInterval') };
	});
}
