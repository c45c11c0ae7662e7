import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import type { ToolCall } from '../support/agent-model.mts';
import type { AgentEnvironment } from '../support/agent-environment.mts';
import {
	agentCall,
	checkCall,
	checkCallAndOutcome,
	DRIVER,
	salesCall,
} from '../support/agent-tools.mts';
import type { AgentOptions, Tool } from '../support/agent-workflow.mts';
import { waitUntil } from '../../../support/wait-until.mts';

/** Tools that place calls. */
export function testCalls(given: () => AgentEnvironment): void {
	let environment: AgentEnvironment;

	beforeAll(() => void (environment = given()));

	const use = (tool: string, values: JsonObject): ToolCall => ({ tool, arguments: values });
	const check: ToolCall = use('Check_call', {
		...{
			To_Phone: '(312) 555-0188',
			Load_Number: '48213',
			Next_Stop_Index: 1,
			Driver_Name: 'Luis',
		},
	});
	const results = (): JsonObject[] =>
		environment.model.results().flatMap((result): JsonObject[] => JSON.parse(result));

	/** Runs an agent with these tools. The model requests each turn's calls one after another. */
	async function askAgent(tools: Tool[], turns: ToolCall[][], options?: AgentOptions) {
		const workflow = await environment.agentWith(tools, options);
		expect(await environment.run(workflow, turns)).toBe('success');
	}

	/** The service places the next check call, its response is lost, and its list can't be read. */
	function loseAnswer() {
		environment.sandbox.faults.add(
			{ endpoint: 'triggerCheckCall', fault: { kind: 'reset', when: 'after' } },
			{ endpoint: 'listCalls', fault: { kind: 'status', status: 500 }, times: 'always' },
		);
	}

	describe('a tool that places calls', () => {
		it('dials once for each call that the model asks for, and returns the call to it', async () => {
			await askAgent(
				[checkCall, salesCall, agentCall],
				[
					[
						check,
						use('Sales_call', { To_Phone: '+13125550119', Load_ID: '48213', DOT_Number: 1234567 }),
						use('Agent_call', { To_Phone: '+13125550120' }),
					],
				],
			);
			expect(environment.sandbox.ledger.dialed()).toMatchObject([
				{ kind: 'checkCall', toPhone: DRIVER, loadNumber: '48213', body: { driverName: 'Luis' } },
				{ kind: 'carrierSalesCall', toPhone: '+13125550119', dotNumber: 1234567 },
				{ kind: 'agentCall', toPhone: '+13125550120', agentId: 'detention-follow-up' },
			]);
			const ids = environment.sandbox.ledger.dialed().map(({ callId }) => callId);
			expect(results()).toMatchObject(ids.map((callId) => ({ callId, placement: 'placed' })));
		});

		it('places no second call when the model asks for the same call twice, and tells the model', async () => {
			await askAgent([checkCall], [[check, check], [check]]);
			expect(environment.dialed()).toEqual([DRIVER]);
			const [first] = results();
			const again = {
				...first,
				result: 'Skipped: already called in this turn',
				placement: 'skippedDuplicate',
				placementReason: expect.stringContaining('already made this call'),
			};
			expect(results()).toEqual([first, again, again]);
		});

		it('calls the same driver about another load, but not again about another stop of it', async () => {
			const other = use('Check_call', { ...check.arguments, Load_Number: '48220' });
			const next = use('Check_call', { ...check.arguments, Next_Stop_Index: 2 });
			await askAgent([checkCall], [[check, other, next]]);
			expect(environment.dialed()).toEqual([DRIVER, DRIVER]);
		});

		it('places one agent call to a number in a turn when the model words its requests differently', async () => {
			const about = (facility: string) =>
				use('Agent_call', { To_Phone: DRIVER, Facility: facility });
			await askAgent(
				[agentCallAbout],
				[[about('Joliet'), about('Joliet, IL'), about('the Joliet facility')]],
			);
			const said = environment.sandbox.ledger
				.dialed()
				.map(({ dynamicVariables }) => dynamicVariables);
			expect(said).toEqual([{ facility: 'Joliet' }]);
		});

		it('calls again when the workflow comes back to the agent, as a loop does', async () => {
			const workflow = await environment.agentWith([checkCall], { twice: true });
			expect(await environment.run(workflow, [[check], 'Called.', [check], 'Called.'])).toBe(
				'success',
			);
			expect(environment.dialed()).toEqual([DRIVER, DRIVER]);
		});

		it('gives the model the outcome it waited for, without the transcript', async () => {
			const workflow = await environment.agentWith([checkCallAndOutcome]);
			const again = use('Check_call_and_outcome', check.arguments);
			const execution = await environment.start(workflow, [[again]]);
			await waitUntil('the call', () => environment.dialed().length > 0);
			await environment.sandbox.finishCalls();
			expect(await environment.waitForEnd(execution)).toBe('success');
			expect(results()).toMatchObject([{ summary: expect.any(String), listedCall: {} }]);
			expect(environment.model.read()).not.toContain('transcript\\":');
		});

		it('that waits for a webhook event fails before dialing', async () => {
			const parameters = { ...checkCall.parameters, waitForOutcome: 'webhook' };
			await askAgent([{ ...checkCall, parameters }], [[check]]);
			expect(environment.dialed()).toEqual([]);
			expect(results()).toEqual([{ error: expect.stringMatching(/Wait for Outcome.*AI agent/) }]);
		});
	});

	const agentCallAbout: Tool = {
		...agentCall,
		parameters: {
			...agentCall.parameters,
			dynamicVariablesFrom: 'json',
			dynamicVariablesJson: "={{ { facility: $fromAI('Facility', ``, 'string') } }}",
		},
	};

	describe('a tool that dials and gets no response', () => {
		it('tells the model that the phone may have rung, and does not dial when it asks again', async () => {
			loseAnswer();
			await askAgent([checkCall], [[check], [check]]);
			expect(environment.dialed()).toEqual([DRIVER]);
			const unknown =
				/^The phone may have rung\..*may or may not have been placed.*It was not placed again/;
			expect(results()).toEqual([
				{ error: expect.stringMatching(unknown) },
				{ error: expect.stringMatching(unknown) },
			]);
		});

		it('finds the call once the list can be read', async () => {
			environment.sandbox.faults.add(
				{ endpoint: 'triggerCheckCall', fault: { kind: 'reset', when: 'after' } },
				{ endpoint: 'listCalls', fault: { kind: 'status', status: 403 }, times: 1 },
			);
			const to = { ...check.arguments, To_Phone: '+13125550177' };
			const again = use('Check_call', to);
			await askAgent([checkCall], [[again], [again]]);
			expect(environment.dialed()).toEqual(['+13125550177']);
			const [{ callId } = { callId: 0 }] = environment.sandbox.ledger.dialed();
			expect(results()).toMatchObject([
				{ callId, placement: 'reconciled' },
				{ callId, placement: 'skippedDuplicate' },
			]);
		});

		const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		it.each([3.1, 2.2])(
			'is not placed again by Retry On Fail (AI Agent %s)',
			async (typeVersion) => {
				loseAnswer();
				await askAgent([{ ...checkCall, settings: retrying }], [[check]], { typeVersion });
				expect(environment.dialed()).toEqual([DRIVER]);
			},
		);

		it('can be tried again when it is certain that no phone rang', async () => {
			const fault = { kind: 'successFalse', message: 'No agent is free' } as const;
			environment.sandbox.faults.add({ endpoint: 'triggerCheckCall', fault });
			await askAgent([checkCall], [[check], [check]]);
			expect(environment.dialed()).toEqual([DRIVER]);
			expect(results()).toMatchObject([
				{ error: expect.stringMatching(/^No phone rang\..*No agent is free/) },
				{ placement: 'placed' },
			]);
		});
	});

	describe("a tool that needs a person's approval", () => {
		const wanted = use('Check_call', { toolParameters: check.arguments, hitlParameters: {} });
		const answered = async (execution: string, approved: boolean, question: number) => {
			await waitUntil('the question', async () => {
				const asked = environment.reviewer.asked().length >= question;
				return asked && (await environment.status(execution)) === 'waiting';
			});
			expect(environment.dialed()).toHaveLength(question - 1);
			await environment.reviewer.press(approved);
		};

		it('dials once for each approval, never before it, and never when it is denied', async () => {
			const workflow = await environment.agentWith([checkCall], { reviewed: true });
			const execution = await environment.start(workflow, [[wanted], [wanted], [wanted]]);
			await answered(execution, true, 1);
			await answered(execution, true, 2);
			await answered(execution, false, 3);
			expect(await environment.waitForEnd(execution)).toBe('success');
			expect(environment.dialed()).toEqual([DRIVER, DRIVER]);
			expect(environment.reviewer.asked()[0]).toContain('Call (312) 555-0188 about load 48213?');
			expect(environment.model.results().at(-1)).toContain('rejected');
		});
	});
}
