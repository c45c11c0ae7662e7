import { CALLING_WORKFLOW } from '../../../../playground/demo/sample-check-call.mts';
import { exampleWorkflows } from '../../../../playground/demo/examples.mts';
import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { daytimeZone } from '../../../../sandbox/page/routes.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import type { ExamplesEnvironment } from './examples-environment.mts';
import type { Variant } from './examples-import.mts';

/** The example's rules, with another zone in place of the phone number's. */
function rulesInDaytime(): JsonObject {
	const example = exampleWorkflows().find(({ id }) => id === CALLING_WORKFLOW);
	const node = example?.nodes.find(({ name }) => name === 'Check call');
	const { rules } = Object(node?.['parameters']);
	const { range } = rules.hours;
	const zone = String(range.zone).replace("'phone'", `'${daytimeZone(new Date())}'`);
	return { rules: { ...rules, hours: { range: { ...range, zone } } } };
}

/** The workflow that calls, at any time of day and every second. */
export const CALLING_VARIANTS: Variant[] = [
	// Where an event names no zone, so that the tests call at any time of day.
	{ of: CALLING_WORKFLOW, node: 'Check call', set: rulesInDaytime },
	{
		of: CALLING_WORKFLOW,
		node: 'Every 30 seconds',
		set: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
	},
];

const OPEN = ['', 'new', 'waiting', 'taken'];

/** Waits until every event about a load has ended. */
export async function whenHandled(environment: ExamplesEnvironment, load: string): Promise<void> {
	await waitUntil(`the end of the events about load ${load}`, async () => {
		const rows = await environment.rows('tms_events', load);
		return rows.length > 0 && rows.every(({ state }) => !OPEN.includes(String(state ?? '')));
	});
}
