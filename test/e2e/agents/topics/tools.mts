import { resources } from '../../../../nodes/CarrierLoadCommunications/resources/index.ts';
import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import type { ToolCall } from '../support/agent-model.mts';
import type { AgentEnvironment } from '../support/agent-environment.mts';
import { getCalls, getTranscript, operationTools } from '../support/agent-tools.mts';

/** The node as tools of an agent. */
export function testTools(given: () => AgentEnvironment): void {
	let environment: AgentEnvironment;
	let workflow: string;

	beforeAll(async () => {
		environment = given();
		workflow = await environment.agentWith([...operationTools, getTranscript]);
	});

	const use = (tool: string, values: JsonObject = {}): ToolCall => ({ tool, arguments: values });
	const calls = use('Calls', { Limit: 1 });

	/** What each tool call brought the model, all asked for at once. */
	async function askAgent(...wanted: ToolCall[]): Promise<JsonObject[][]> {
		expect(await environment.run(workflow, [wanted])).toBe('success');
		return environment.model.results().map((result) => JSON.parse(result));
	}

	describe('the list of tools for the language model', () => {
		it('has each operation under its own name, which says whether it calls someone, as the editor names its node', async () => {
			const actions = resources.flatMap(({ operations }) =>
				operations.map(({ action, value }) => ({ action, value })),
			);
			const nodeOf = (action: string) => `${action} in Carrier Load Communications`;
			const tools = operationTools.map(({ parameters }, nth) => ({
				node: nodeOf(
					resources
						.find(({ value }) => value === parameters['resource'])
						?.operations.find(({ value }) => value === parameters['operation'])?.action ?? `${nth}`,
				),
				parameters,
			}));
			const named = await environment.agentWith(tools);
			expect(await environment.run(named, [])).toBe('success');

			const offered = environment.model.tools();
			expect(offered.map(({ description }) => description).sort()).toEqual(
				actions.map(({ action }) => nodeOf(action)).sort(),
			);
			expect(new Set(offered.map(({ name }) => name)).size).toBe(10);
			for (const { name } of offered) expect(name).toMatch(/^[\w-]{10,64}$/);
			const calling = offered.filter(({ name }) => /^Place_an?_/.test(name));
			expect(calling).toHaveLength(3);
		});

		it('asks only for the fields left to the model, each with its type', async () => {
			expect(await environment.run(workflow, [])).toBe('success');
			const check = environment.model.tools().find(({ name }) => name === 'Check_call');
			expect(check?.parameters).toMatchObject({
				properties: {
					To_Phone: { type: 'string', description: 'The number to call' },
					Load_Number: { type: 'string' },
					Next_Stop_Index: { type: 'number' },
					Driver_Name: { type: 'string' },
				},
				required: ['To_Phone', 'Load_Number', 'Next_Stop_Index', 'Driver_Name'],
				additionalProperties: false,
			});
			expect(JSON.stringify(environment.model.tools())).not.toMatch(/credential|token|metadata/i);
		});
	});

	describe('a tool that reads', () => {
		it('returns its rows to the model, for all seven operations, and places no call', async () => {
			const [[newest = {}] = []] = await askAgent(calls);
			const [conversations, call, recording, bids, carriers, figures] = await askAgent(
				use('Conversations', { Limit: 2, Load_ID: '' }),
				use('Call', { Call_ID: String(newest['id']) }),
				use('Recording', { Call_ID: String(newest['id']) }),
				use('Bids', { Limit: 2 }),
				use('Carriers', { Origin: 'Chicago, IL', Destination: 'Dallas, TX' }),
				use('Figures'),
			);
			expect(conversations?.[0]).toHaveProperty('summary');
			expect(call).toEqual([newest]);
			expect(recording).toEqual([
				expect.objectContaining({
					callId: newest['id'],
					fileName: expect.stringMatching(/\.wav$/),
				}),
			]);
			expect(bids?.[0]).toMatchObject({ mcNumber: expect.any(String) });
			expect(carriers?.[0]).toMatchObject({ dotNumber: expect.any(Number) });
			expect(figures).toHaveLength(7);
			expect(environment.sandbox.ledger.dialed()).toEqual([]);
		});

		it('says when its limit cut the list off, and when nothing was found', async () => {
			const [two = [], none] = await askAgent(
				use('Calls', { Limit: 2 }),
				use('Conversations', { Limit: 5, Load_ID: 'no-such-load' }),
			);
			expect(two).toHaveLength(3);
			expect(two[2]).toEqual({ notice: expect.stringContaining('limit of 2: there may be more') });
			expect(none).toEqual([{ notice: 'Nothing was found.' }]);
		});

		it('gives the model a transcript only when it was selected, not with All Fields', async () => {
			const [[newest = {}] = []] = await askAgent(calls);
			expect(newest).toHaveProperty('recordingUrl');
			const id = { Call_ID: String(newest['id']) };
			await askAgent(use('Call', id));
			expect(environment.model.read()).toContain('recordingUrl');
			expect(environment.model.read()).not.toContain('transcript\\":');
			const [chosen] = await askAgent(use('Transcript', id));
			expect(chosen).toEqual([
				{ callId: newest['id'], transcript: expect.stringMatching(/.{40,}/s) },
			]);
		});
	});

	describe('a tool that fails', () => {
		it('tells the model which value was wrong, and what a valid one looks like', async () => {
			const [[answer = {}] = []] = await askAgent(
				use('Carriers', { Origin: ' ', Destination: 'Dallas, TX' }),
			);
			expect(answer['error']).toMatch(/Origin is required.*Nothing was sent/);
			expect(environment.sandbox.ledger.requests()).toEqual([]);
		});

		it('says what the service said and what to do, without the token', async () => {
			const { faults, tokens } = environment.sandbox;
			const body = { message: `bad token ${tokens.north}` };
			faults.add({
				endpoint: 'listCalls',
				fault: { kind: 'status', status: 401 },
				times: 'always',
			});
			const [[refused = {}] = []] = await askAgent(calls);
			expect(refused['error']).toMatch(/^Couldn't get calls: .*credential/i);
			faults.clear();
			faults.add({ endpoint: 'listCalls', fault: { kind: 'body', body }, times: 'always' });
			const [[strange = {}] = []] = await askAgent(calls);
			expect(strange['error']).toMatch(/^Couldn't get calls: /);
			expect(environment.model.read()).not.toContain(tokens.north);
			expect(environment.log()).not.toContain(tokens.north);
		});

		it('does not end the workflow: the other tools keep working', async () => {
			const [failed, worked] = await askAgent(use('Call', { Call_ID: '1' }), calls);
			expect(failed).toEqual([{ error: expect.stringContaining('Call 1 was not found') }]);
			expect(worked?.[0]).toHaveProperty('id');
		});
	});

	it('a tool keeps the limit of its form if the model may not choose it', async () => {
		const tool = { ...getCalls, parameters: { ...getCalls.parameters, limit: 1 } };
		const fixed = await environment.agentWith([tool]);
		expect(await environment.run(fixed, [[use('Calls', { Limit: 400 })]])).toBe('success');
		expect(JSON.parse(environment.model.results()[0] ?? '')).toHaveLength(2);
	});
}
