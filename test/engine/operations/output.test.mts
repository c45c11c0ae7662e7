import { RECORDS } from '../../../nodes/shared/columns/records.ts';
import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner();
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const calls = { resource: 'call', operation: 'getAll', timeRange: 'last30Days', limit: 3 };

const answer = (rows: object[], times: 1 | 'always' = 1) => {
	runner.sandbox.faults.add({
		endpoint: 'listCalls',
		times,
		fault: {
			kind: 'body',
			body: { calls: rows, pagination: { limit: 500, offset: 0, total: rows.length } },
		},
	});
};

it("Simplified leaves the service's text as it is, under the same names everywhere", async () => {
	answer([{ id: 1, contentTags: 'rate,  available', loadIds: ['48213', '48214'], extra: 1 }]);
	const { items } = await runner.run(calls);
	expect(items).toEqual([
		{ loadNumber: '48213, 48214', contentTags: 'rate,  available', callId: 1 },
	]);
});

it('All Fields keeps fields unknown to this package', async () => {
	const row = { id: 1, sentiment: { score: 0.9 }, transcript: null, summary: '' };
	answer([row]);
	const { items } = await runner.run({ ...calls, output: 'all' });
	expect(items).toEqual([row]);
});

it('All Fields returns every field of a sandbox call', async () => {
	const { items } = await runner.run({ ...calls, output: 'all' });
	for (const item of items) {
		for (const name of [...RECORDS.calls.more, 'id', 'loadIds']) expect(item).toHaveProperty(name);
	}
});

it('Selected Fields returns what was chosen, also by name', async () => {
	answer([{ id: 1, transcript: 'Hello', sentiment: 'good' }]);
	answer([{ id: 1, transcript: 'Hello', sentiment: 'good' }]);
	const chosen = { ...calls, output: 'selected', selectedFields: ['transcript'] };
	expect((await runner.run(chosen)).items).toEqual([{ transcript: 'Hello' }]);
	const named = { ...chosen, selectedFields: "={{ ['id', 'sentiment'] }}" };
	expect((await runner.run(named)).items).toEqual([{ id: 1, sentiment: 'good' }]);
});

describe('Selected Fields after another operation was chosen', () => {
	const stale = ['emailSubject', 'bidAmounts'];

	it("drops the other operation's fields", async () => {
		answer([{ id: 1, transcript: 'Hello', emailSubject: 'Not a field of calls' }]);
		const selectedFields = [...stale, 'transcript'];
		const { items } = await runner.run({ ...calls, output: 'selected', selectedFields });
		expect(items).toEqual([{ transcript: 'Hello' }]);
	});

	it('asks for a field instead of returning empty rows', async () => {
		const { error } = await runner.run({ ...calls, output: 'selected', selectedFields: stale });
		expect(error?.message).toContain('Fields needs at least one field');
		expect(runner.sandbox.ledger.requests()).toEqual([]);
	});
});

it.each(['continueRegularOutput', 'continueErrorOutput', 'stopWorkflow'] as const)(
	'a row with its own error field is still a success (%s)',
	async (onError) => {
		const row = { error: 'line busy', message: 'No answer' };
		answer([row]);
		const { output, status } = await runner.run({ ...calls, output: 'all' }, { node: { onError } });
		expect(status).toBe('success');
		expect(output(0)).toEqual([
			{ json: { serviceError: 'line busy', message: 'No answer' }, pairedItem: { item: 0 } },
		]);
		expect(output(1)).toEqual([]);
	},
);

it('a long list is returned complete', async () => {
	const rows = Array.from({ length: 60_000 }, (_, index) => ({ id: index + 1 }));
	answer(rows, 'always');
	const { items, error, hints } = await runner.run({ ...calls, returnAll: true });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(rows.length);
	expect(hints).toEqual([]);
});
