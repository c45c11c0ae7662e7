import type { INode } from 'n8n-workflow';
import { shortBackoffs } from '../../support/pauses.mts';
import { workflow as n8nWorkflow } from '../support/harness/n8n.mts';
import {
	showToolOptions,
	startNodeRunner,
	type NodeRunner,
} from '../support/operations/node-runner.mts';

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 50 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());
afterEach(() => jest.restoreAllMocks());

const fromAI = (key: string, type = 'string') => `={{ $fromAI('${key}', '', '${type}') }}`;

const answerOf = (run: { items: Array<Record<string, unknown>> }) =>
	JSON.parse(String(run.items[0]?.answer));

it('an agent fills in the fields, and reads rows', async () => {
	const run = await runner.runTool(
		{
			resource: 'call',
			operation: 'getAll',
			timeRange: 'last30Days',
			limit: fromAI('limit', 'number'),
			filters: { loadId: fromAI('load') },
		},
		{ limit: 2, load: '' },
	);
	const rows = answerOf(run).filter((row: object) => 'callId' in row);
	expect(rows).toHaveLength(2);
	expect(Object.keys(rows[0])).not.toContain('transcript');
});

it('an agent gets no transcript with All Fields, but does with Selected Fields', async () => {
	const calls = { resource: 'call', operation: 'getAll', timeRange: 'last30Days', limit: 1 };
	const [all] = answerOf(await runner.runTool({ ...calls, output: 'all' }));
	expect(Object.keys(all)).toContain('recordingUrl');
	expect(Object.keys(all)).not.toContain('transcript');
	const selected = { ...calls, output: 'selected', selectedFields: ['callId', 'transcript'] };
	const [chosen] = answerOf(await runner.runTool(selected));
	expect(Object.keys(chosen)).toEqual(['callId', 'transcript']);
});

it('an agent is told when a list is incomplete, since it sees no hints', async () => {
	runner.sandbox.faults.add({
		endpoint: 'searchCarriers',
		fault: { kind: 'body', body: { carriers: [{ name: 'A' }], pagination: { total: 9 } } },
	});
	const run = await runner.runTool(
		{
			resource: 'carrier',
			operation: 'search',
			origin: fromAI('origin'),
			destination: 'Dallas, TX',
		},
		{ origin: 'Chicago, IL' },
	);
	expect(answerOf(run)).toEqual([{ name: 'A' }, { notice: expect.stringContaining('9') }]);
});

it('Return All gives an agent at most 500 records and a notice; a workflow gets them all', async () => {
	const createdAt = new Date(Date.now() - 60_000).toISOString();
	runner.sandbox.insert({ count: 520, createdAt });
	const calls = { resource: 'call', operation: 'getAll', timeRange: 'last30Days', returnAll: true };
	const rows = answerOf(await runner.runTool(calls));
	expect(rows).toHaveLength(501);
	expect(new Set(rows.slice(0, 500).map(({ callId }: { callId: number }) => callId)).size).toBe(
		500,
	);
	expect(rows[500]).toEqual({
		notice: expect.stringMatching(/^Only the first 500 records are returned to an agent/),
	});
	expect((await runner.run(calls)).items.length).toBeGreaterThanOrEqual(520);
});

it('an agent learns which of its values were wrong', async () => {
	const run = await runner.runTool(
		{
			resource: 'carrier',
			operation: 'search',
			origin: fromAI('origin'),
			destination: 'Dallas, TX',
		},
		{ origin: '60601' },
	);
	expect(run.error?.message).toContain('Origin must be a city and state, like Chicago, IL');
});

it("an agent gets a recording's details, without the file", async () => {
	const [id] = runner.sandbox.insert({ createdAt: new Date(Date.now() - 60_000).toISOString() });
	const run = await runner.runTool(
		{ resource: 'call', operation: 'downloadRecording', callId: fromAI('call', 'number') },
		{ call: id ?? 0 },
	);
	expect(answerOf(run)).toEqual([expect.objectContaining({ callId: id, mimeType: 'audio/wav' })]);
});

it('an agent is told when nothing was found, and an error tells it what to do now', async () => {
	const calls = { resource: 'call', operation: 'getAll', filters: { loadId: 'no-such-load' } };
	expect(answerOf(await runner.runTool(calls))).toEqual([{ notice: 'Nothing was found.' }]);
	const lane = { resource: 'carrier', operation: 'search', origin: 'Chicago', destination: '' };
	expect((await runner.runTool(lane)).error?.message).toContain('Correct the field');
});

describe('an AI agent whose tool places calls', () => {
	const calling = {
		...{ resource: 'call', toPhone: fromAI('phone'), rules: { skipIfCalledWithin: 0 } },
		...{ loadNumber: '48213', nextStopIndex: 1, loadId: '48213', dotNumber: 77, agentId: 'desk' },
	};
	const operations = ['triggerCheckCall', 'triggerCarrierSalesCall', 'createAgentCall'];
	const ask = async (operation: string, rules?: object) =>
		await runner.runTool(
			{ ...calling, operation, ...(rules && { rules: { skipIfCalledWithin: 0, ...rules } }) },
			{ phone: '+13125550188' },
		);

	it.each(operations)('is told that %s has no limit, in words for the owner', async (operation) => {
		for (const rules of [
			{},
			{ hours: { range: { from: '00:00', to: '24:00' } } },
			{ maxCalls: 5 },
			undefined,
		]) {
			const { error } = await ask(operation, rules);
			expect(error?.message).toMatch(
				/^No phone rang\. This tool may not place calls without a limit\. Do not retry\. For the workflow's owner: add Max Calls per Hour, Max Calls per Day or Max Calls per Person per Day to this node's Safety/,
			);
		}
		expect(runner.sandbox.ledger.requests()).toEqual([]);
	});

	it.each(['maxCallsPerHour', 'maxCallsPerDay', 'maxCallsPerNumber'])(
		'may use it with %s',
		async (limit) => {
			const [row] = answerOf(await ask('triggerCheckCall', { [limit]: 99 }));
			expect(row).toMatchObject({ placement: 'placed' });
		},
	);
});

describe('the form of a tool that places calls', () => {
	const tool = 'n8n-nodes-carrier-load-communications.carrierLoadCommunicationsTool';
	const hidden = {
		...{ metadataFrom: 'json', metadataJson: '{"team":"west"}' },
		options: { defaultCountry: 'MX', addReference: false },
	};
	const parameters = {
		...{ resource: 'call', operation: 'triggerCheckCall', toPhone: fromAI('phone') },
		...{ loadNumber: '48299', nextStopIndex: 1 },
		rules: { maxCallsPerHour: 2000, skipIfCalledWithin: 0 },
	};

	it('has no metadata, options and test number: what n8n stored of them is dropped', async () => {
		const { description } = runner.engine.types.getByNameAndVersion(tool, 1);
		const node = { typeVersion: 1, type: tool } as INode;
		const shown = description.properties.filter((property) =>
			n8nWorkflow.NodeHelpers.displayParameter(
				{ ...parameters, callMode: 'testNumber', metadataFrom: 'json' },
				property,
				node,
				description,
			),
		);
		const names = new Set(shown.map(({ name }) => name));
		for (const name of ['metadataFrom', 'metadataJson', 'options', 'testNumber']) {
			expect(names).not.toContain(name);
		}
		expect(names).toContain('additionalFields');
		const run = await runner.runTool({ ...parameters, ...hidden }, { phone: '312 555 0177' });
		expect(answerOf(run)).toMatchObject([{ placement: 'placed', toPhone: '+13125550177' }]);
		const [request] = runner.sandbox.ledger.requests('triggerCheckCall');
		expect(request?.body).not.toHaveProperty('metadata.team');
	});

	it("can't be in the mode Test Number, because it would lack the number", async () => {
		const test = { callMode: 'testNumber', testNumber: '(312) 555-0199' };
		const run = await runner.runTool({ ...parameters, ...test }, { phone: '312 555 0177' });
		expect(run.error?.message).toMatch(
			"No phone rang. Mode must not be Test Number for an AI agent's tool; set Calls to Test Number in the credential",
		);
		expect(runner.sandbox.ledger.requests()).toEqual([]);
	});
});

it("Retry On Fail does not repeat an agent's call, although each try is a new run", async () => {
	shortBackoffs();
	showToolOptions(runner);
	const { faults, ledger } = runner.sandbox;
	faults.add(
		{ endpoint: 'triggerCheckCall', fault: { kind: 'reset', when: 'after' } },
		{ endpoint: 'listCalls', fault: { kind: 'status', status: 500 }, times: 'always' },
	);
	const run = await runner.engine.runTool(
		{
			...{ resource: 'call', operation: 'triggerCheckCall', toPhone: fromAI('phone') },
			...{
				loadNumber: '48213',
				nextStopIndex: 1,
				rules: { maxCallsPerHour: 2000, skipIfCalledWithin: 0 },
				options: { lookForLostAnswers: 0 },
			},
		},
		{ phone: '+13125550188' },
		{
			credentials: runner.credentials,
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		},
	);
	expect(run.error?.message).toContain('may or may not have been placed');
	expect(ledger.dialed()).toHaveLength(1);
});
