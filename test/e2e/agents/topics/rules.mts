import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import type { AgentEnvironment } from '../support/agent-environment.mts';
import type { ToolCall } from '../support/agent-model.mts';
import { checkCall, DRIVER, limit } from '../support/agent-tools.mts';

/** The calling rules, which the model may not set. */
export function testRules(given: () => AgentEnvironment): void {
	let environment: AgentEnvironment;

	beforeAll(() => void (environment = given()));

	const fromAI = (key: string, type = 'string') => `={{ $fromAI('${key}', '', '${type}') }}`;

	/** The model asks for a call to this number, with whatever else it makes up. */
	const ask = (phone: string, more: JsonObject = {}): ToolCall => ({
		tool: 'Check_call',
		arguments: {
			...{ To_Phone: phone, Load_Number: '48213', Next_Stop_Index: 1, Driver_Name: 'Luis' },
			...more,
		},
	});

	/** What the model read after each of its turns, from a tool with these parameters. */
	async function askAgent(parameters: JsonObject, ...turns: ToolCall[][]): Promise<JsonObject[]> {
		const { rules = {} } = parameters;
		const more = typeof rules === 'string' ? { rules } : { rules: { ...limit, ...Object(rules) } };
		const tool = { ...checkCall, parameters: { ...checkCall.parameters, ...parameters, ...more } };
		const workflow = await environment.agentWith([tool]);
		expect(await environment.run(workflow, turns)).toBe('success');
		return environment.model.results().flatMap((result): JsonObject[] => {
			const read: unknown = result.startsWith('[') ? JSON.parse(result) : [{ error: result }];
			return Array.isArray(read) ? read : [];
		});
	}

	describe("an AI agent's model that tries to set the rules", () => {
		it.each<[string, JsonObject]>([
			['the mode', { callMode: fromAI('Rule') }],
			['the countries', { rules: { allowedCountries: [fromAI('Rule')] } }],
			['a cap that takes no expression', { rules: { maxCallsPerHour: fromAI('Rule', 'number') } }],
			['all rules', { rules: fromAI('Rule', 'json') }],
			[
				'the hours, by the input of the tool',
				{ rules: { hours: { range: { from: '={{ $json.Rule }}' } } } },
			],
			[
				'the duplicate check',
				{ rules: { ...limit, skipIfCalledWithin: fromAI('Rule', 'number') } },
			],
		])("can't, and no phone rings: %s", async (_case, parameters) => {
			// n8n itself turns down those that are not of the field's type.
			const results: JsonObject[] = [];
			for (const rule of [false, 0, '{}']) {
				results.push(...(await askAgent(parameters, [ask(DRIVER, { Rule: rule })])));
			}
			expect(JSON.stringify(results)).toMatch('must not be filled in by the AI model');
			expect(environment.dialed()).toEqual([]);
		});

		it('changes nothing by naming them in its request', async () => {
			const made = { rules: {}, dryRun: false, Dry_Run: false, parameters: { rules: {} } };
			await askAgent({ callMode: 'dryRun' }, [ask(DRIVER, made)], [ask(DRIVER)]);
			expect(environment.dialed()).toEqual([]);
			expect(environment.model.results().at(-1)).toContain('"placement":"dryRun"');
		});

		it('does not see them', async () => {
			await askAgent({ callMode: 'dryRun', rules: { maxCallsPerHour: 3 } }, [ask(DRIVER)]);
			const [tool] = environment.model.tools();
			expect(Object.keys(Object(tool?.parameters['properties'])).sort()).toEqual([
				...['Driver_Name', 'Load_Number', 'Next_Stop_Index', 'To_Phone'],
			]);
		});
	});

	describe('a refusal', () => {
		const stop = /Do not retry\. A calling rule in this workflow blocked the call/;

		it('tells the model not to ask again, and still applies to other spellings of the number', async () => {
			const results = await askAgent(
				{},
				[ask('+1 900 555 0188')],
				[ask('1-900-555-0188'), ask('(900) 555-0188'), ask('tel:+19005550188')],
				[ask('+1 876 555 0188'), ask('+881 612 345 678'), ask('+1 312 976 1234')],
			);
			expect(results).toHaveLength(7);
			for (const { error } of results) expect(error).toMatch(/^No phone rang\./);
			for (const { error } of results.slice(0, 3)) expect(error).toMatch(stop);
			expect(environment.dialed()).toEqual([]);
		});

		it('can come from each rule, and allowed calls are placed', async () => {
			const closed = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(11, 16);
			const until = new Date(Date.now() + 4 * 3_600_000).toISOString().slice(11, 16);
			const range = { from: closed, to: until, zone: 'UTC' };
			const [outside] = await askAgent({ rules: { hours: { range } } }, [ask(DRIVER)]);
			expect(outside?.['error']).toMatch(/outside the calling hours.*Do not retry/s);
			const [skipped] = await askAgent(
				{ rules: { hours: { range: { ...range, outside: 'skip' } } } },
				[ask(DRIVER)],
			);
			expect(skipped).toMatchObject({
				...{ placement: 'outsideHours', placementReason: expect.stringMatching(stop) },
				nextAllowedAt: expect.stringMatching(/Z$/),
			});
			const [listed, other] = await askAgent({ rules: { doNotCall: '312 555 0188' } }, [
				...[ask(DRIVER), ask('+13125550189')],
			]);
			expect(listed).toMatchObject({
				...{ placement: 'doNotCall', placementReason: expect.stringMatching(stop) },
			});
			expect(other).toMatchObject({ placement: 'placed' });
			expect(environment.dialed()).toEqual(['+13125550189']);
		});

		it('stops a model that calls one number after another, by Max Calls per Hour', async () => {
			const numbers = [ask('+13125550141'), ask('+13125550142'), ask('+13125550143')];
			const results = await askAgent(
				{ rules: { maxCallsPerHour: 2 } },
				...numbers.map((one) => [one]),
			);
			expect(results.map(({ placement }) => placement)).toEqual(['placed', 'placed', undefined]);
			expect(results[2]?.['error']).toMatch(/reached its limit of 2 calls per hour.*Do not retry/s);
			expect(environment.dialed()).toHaveLength(2);
		});
	});
}
