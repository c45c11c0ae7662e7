import { exampleWorkflows } from '../../../../playground/demo/examples.mts';
import { isRecord } from '../../../../playground/n8n/rest.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';

const EXAMPLE = 'checkCallsInHours';
/** A copy: another topic imports the example itself. */
const COPY = 'hoursSoonOpen';
const timeIn = (minutes: number) =>
	new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);

/** The example's own rules, with hours that open in three minutes at most. */
function soonOpen() {
	const example = exampleWorkflows().find(({ id }) => id === EXAMPLE);
	const call = example?.nodes.find(({ name }) => name === 'Check call');
	const parameters = isRecord(call?.['parameters']) ? call['parameters'] : {};
	const rules = isRecord(parameters['rules']) ? parameters['rules'] : {};
	const { range } = Object(rules['hours']);
	const soon = { ...range, from: timeIn(3), to: timeIn(120), zone: 'UTC' };
	return { rules: { ...rules, hours: { range: soon } }, pollInterval: 0.2 };
}

const variants: Variant[] = [
	{ of: EXAMPLE, as: COPY, node: 'Check call', set: soonOpen },
	{
		of: EXAMPLE,
		as: COPY,
		node: 'Asked not to be called?',
		set: {
			conditions: {
				options: { caseSensitive: false, leftValue: '', typeValidation: 'loose', version: 2 },
				conditions: [
					{
						id: 'condition',
						leftValue: '={{ $json.contentTags }}',
						// The sandbox's drivers never ask not to be called again.
						rightValue: 'check_call',
						operator: { type: 'string', operation: 'contains' },
					},
				],
				combinator: 'and',
			},
		},
	},
];

let environment: ExamplesEnvironment;
let execution: string;

/** Starts the example, which then waits for minutes: other topics' tests can run meanwhile. */
export async function waitForHours(n8n: ExamplesN8n): Promise<void> {
	environment = await n8n.import(variants, { only: [] });
	execution = await environment.start(COPY);
	await waitUntil('the wait for the hours', async () => {
		return (await environment.status(execution)) === 'waiting';
	});
	// The driver writes an email before the hours open.
	await environment.session.addDataTableRows('do_not_call', [{ phone: '312.555.0121' }]);
}

const dialed = () => environment.sandbox.ledger.dialed().map(({ toPhone }) => toPhone);

/** The example of calling hours, after `waitForHours`. */
export function testCallingHours(): void {
	describe('the example of calling hours in a real n8n', () => {
		it('waits until the hours open, skips listed numbers, and adds whoever asks to be listed', async () => {
			expect(await environment.waitForEnd(execution)).toBe('success');

			expect(dialed()).toEqual(['+12125550134']);
			const waited = await environment.outputItems(execution, 'Until the hours open');
			expect(waited.length).toBeGreaterThanOrEqual(2);
			const [first] = environment.sandbox.ledger.dialed();
			const opened = isRecord(waited[0]?.['json']) ? waited[0]['json']['nextAllowedAt'] : undefined;
			expect(Date.parse(String(first?.at))).toBeGreaterThanOrEqual(Date.parse(String(opened)));
			const listed = (await environment.rows('do_not_call')).map(({ phone }) => phone);
			expect(listed).toEqual(['(312) 555-0177', '312.555.0121', ...dialed()]);
		});

		it('calls nobody who was listed before the next run', async () => {
			environment.sandbox.ledger.clear();
			await environment.run(COPY);
			expect(dialed()).toEqual([]);
		});
	});
}
