import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';

let environment: ExamplesEnvironment;

const ROWS: Record<string, JsonObject[]> = {
	tms_events: [{ eventId: 'e1', loadNumber: '77001', state: 'placed' }],
	daily_calls: [{ dayKey: '2026-01-02', loadNumber: '77001', state: 'placed' }],
	loads_from_files: [{ upload: 'u1', loadNumber: '77001', state: 'done' }],
	call_outcomes: [{ callId: '771', loadNumber: '77001', outcome: 'reached' }],
	outcomes_sent: [{ callId: '771', destination: 'tms' }],
	calls_to_make_by_hand: [
		{ loadNumber: '77001', reason: 'no phone', done: true },
		{ loadNumber: '77001', reason: 'opted out', done: false },
		{ loadNumber: '77001', reason: 'nobody has looked' },
	],
};
const days = (count: number) => ({
	assignments: {
		assignments: ['eventDays', 'outcomeDays'].map((name) => ({
			...{ id: name, name, value: count, type: 'number' },
		})),
	},
});

/** What is deleted from the tables, and what never is. */
export function testHousekeeping(n8n: ExamplesN8n): void {
	const ours = async (table: string) => {
		const rows = await environment.rows(table, undefined, 1000);
		return rows.filter((row) =>
			[row['loadNumber'], row['callId']].some((id) => id === '77001' || id === '771'),
		);
	};
	const left = async () =>
		Object.fromEntries(
			await Promise.all(
				Object.keys(ROWS).map(async (table) => [table, (await ours(table)).length] as const),
			),
		);

	beforeAll(async () => {
		environment = await n8n.import(
			[{ of: 'housekeeping', as: 'nothingIsKept', node: 'How long to keep', set: days(0) }],
			{ only: ['housekeeping'] },
		);
		for (const [table, rows] of Object.entries(ROWS)) {
			await environment.session.addDataTableRows(table, rows);
		}
	});
	afterAll(async () => await environment?.remove());

	it('keeps what is younger than the days that are set', async () => {
		const before = await left();
		await environment.run('housekeeping');
		expect(await left()).toEqual(before);
	});

	it('deletes what is older, but no manual call that is not done', async () => {
		await environment.run('nothingIsKept');
		expect(await left()).toEqual({
			...{ tms_events: 0, daily_calls: 0, loads_from_files: 0, call_outcomes: 0, outcomes_sent: 0 },
			calls_to_make_by_hand: 2,
		});
		const open = (await ours('calls_to_make_by_hand')).map(({ reason }) => reason);
		expect(open).toEqual(['opted out', 'nobody has looked']);
	});
}
