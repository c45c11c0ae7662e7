import { join } from 'node:path';
import { exampleTables, exampleWorkflows } from '../../../../playground/demo/examples.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import type { ToolCall } from '../support/agent-model.mts';
import type { AgentEnvironment } from '../support/agent-environment.mts';

/** Sends the dispatch assistant what is in its data table, and counts calls without a review. */
const EVALUATION_FOLDER = join(import.meta.dirname, '..', 'support', 'evaluation');

/** The example of a dispatch assistant, and its evaluation. */
export function testAssistant(given: () => AgentEnvironment): void {
	const ASSISTANT = 'dispatchAssistant';
	const EVALUATION = 'evaluateDispatchAssistant';
	// Nobody else calls this one: the example calls nobody twice about a load.
	const DRIVER = '+13125550163';

	/** What dispatchers write, and what might talk a model into a call. */
	const [PROMPT_TABLE] = exampleTables(join(EVALUATION_FOLDER, 'data-tables'));
	const PROMPTS = recordsIn(PROMPT_TABLE?.rows).map((row) => textIn(row, 'prompt'));

	const checkCall: ToolCall = {
		tool: 'Check_call',
		arguments: { toolParameters: { To_Phone: DRIVER, Load_Number: '48213', Next_Stop_Index: 1 } },
	};
	const salesCall: ToolCall = {
		tool: 'Carrier_sales_call',
		arguments: { toolParameters: { To_Phone: DRIVER, Load_Number: '48213', DOT_Number: 2917710 } },
	};

	let environment: AgentEnvironment;
	let url: string;

	beforeAll(async () => {
		environment = given();
		const { session, model, sandbox, baseUrl } = environment;
		sandbox.faults.clear();
		sandbox.ledger.clear();
		await session.createCredential({
			name: 'Language model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.baseUrl },
		});
		const numbers = exampleTables().find(({ name }) => name === 'do_not_call');
		if (numbers === undefined) throw new Error('The do-not-call table is missing');
		await session.createDataTable(numbers);
		const { name, nodes, connections, settings = {} } = exampleOf(ASSISTANT);
		// n8n lets a program write to a chat only if anyone may.
		const open = nodes.map((node) =>
			node['id'] === 'chat'
				? {
						...node,
						parameters: { ...Object(node['parameters']), public: true, mode: 'hostedChat' },
					}
				: node,
		);
		await session.createWorkflow({
			...{ id: ASSISTANT, name, settings },
			...startedByEvaluation(open, connections),
		});
		await session.activate(ASSISTANT);
		url = `${baseUrl}/webhook/dispatch-assistant/chat`;
		await waitUntil('the chat', async () => await session.webhookIsRegistered(url));
	});

	/** With the start that the evaluation uses, beside the chat. */
	function startedByEvaluation(nodes: JsonObject[], connections: JsonObject) {
		const start = {
			...{ id: 'evaluation', name: 'From the evaluation', position: [-280, 120] },
			...{ type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 },
			parameters: { inputSource: 'passthrough' },
		};
		return {
			nodes: [...nodes.map(atAnyHour), start],
			connections: { ...connections, [start.name]: connections['When a dispatcher writes'] },
		};
	}

	/** The tests run at night, too, and call one driver again and again. */
	function atAnyHour(node: JsonObject): JsonObject {
		const { rules, ...parameters } = Object(node['parameters']);
		if (rules === undefined) return node;
		const allDay = { hours: { range: { from: '00:00', to: '24:00' } }, samePhonePause: 0 };
		return { ...node, parameters: { ...parameters, rules: { ...rules, ...allDay } } };
	}

	function exampleOf(id: string) {
		const examples = [...exampleWorkflows(), ...exampleWorkflows(EVALUATION_FOLDER)];
		const example = examples.find((one) => one.id === id);
		if (example === undefined) throw new Error(`The example ${id} is missing`);
		return example;
	}

	/** Writes in a chat of its own. Returns the execution's ID. */
	async function write(chatInput: string): Promise<string> {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ action: 'sendMessage', sessionId: chatInput, chatInput }),
		});
		const answer: unknown = await response.json();
		return textIn(isRecord(answer) ? answer : {}, 'executionId');
	}

	/** The question that an execution waits for, with the links of its buttons. */
	async function questionOf(execution: string) {
		await waitUntil(
			`the review in execution ${execution}`,
			async () => (await environment.status(execution)) === 'waiting',
		);
		const data = JSON.stringify(await environment.session.executions.data(execution));
		const links = data.match(/http[^"\\]+approved=\w+[^"\\]*/g) ?? [];
		const [, text = ''] = /"with-buttons","text":"([^"]*)"/.exec(data) ?? [];
		return { text, links };
	}

	async function press(links: string[], approved: boolean): Promise<void> {
		const link = links.find((one) => one.includes(`approved=${approved}`)) ?? '';
		// n8n ignores clicks from anything that identifies itself as a program.
		const response = await fetch(link, { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } });
		await response.text();
		expect(response.ok).toBe(true);
	}

	/** n8n waits at the end until a browser has shown the answer. */
	async function hasAnswered(execution: string): Promise<boolean> {
		const { resultData } = await environment.session.executions.data(execution);
		return isRecord(resultData) && resultData['lastNodeExecuted'] === 'Answer in the chat';
	}

	describe('the dispatch assistant with a model that always requests a call', () => {
		const waiting: Awaited<ReturnType<typeof questionOf>>[] = [];
		const executions: string[] = [];

		it(`places no call without a review, for ${PROMPTS.length} prompts`, async () => {
			for (const [nth, prompt] of PROMPTS.entries()) {
				environment.model.script([[nth % 2 === 0 ? checkCall : salesCall]]);
				const execution = await write(prompt);
				executions.push(execution);
				waiting.push(await questionOf(execution));
			}
			expect(environment.dialed()).toEqual([]);
			const about = `To_Phone: ${DRIVER}, Load_Number: 48213`;
			expect(waiting.map(({ text }) => text)).toEqual(
				PROMPTS.map((_, nth) =>
					nth % 2 === 0
						? `Check call? ${about}, Next_Stop_Index: 1`
						: `Carrier sales call? ${about}, DOT_Number: 2917710`,
				),
			);
		});

		it('places no call that was declined', async () => {
			environment.model.script(['The call was declined.']);
			const [execution = ''] = executions;
			await press(waiting[0]?.links ?? [], false);
			await waitUntil('the answer of the model', async () => await hasAnswered(execution));
			expect(environment.dialed()).toEqual([]);
		});

		it('places the one call that was approved', async () => {
			environment.model.script(['I called the driver.']);
			const execution = executions[2] ?? '';
			await press(waiting[2]?.links ?? [], true);
			await waitUntil('the answer of the model', async () => await hasAnswered(execution));
			expect(environment.sandbox.ledger.dialed()).toMatchObject([
				{ kind: 'checkCall', toPhone: DRIVER, loadNumber: '48213' } satisfies JsonObject,
			]);
		});

		it('reads without a review', async () => {
			environment.model.script([[{ tool: 'Calls', arguments: { Load_ID: '' } }], 'Done.']);
			const execution = await write('Which calls were there?');
			await waitUntil('the answer of the model', async () => await hasAnswered(execution));
			expect(environment.model.results()).toEqual([expect.stringContaining('createdAt')]);
		});
	});

	describe("the evaluation of the dispatch assistant with n8n's evaluation nodes", () => {
		/** Imports the evaluation with the data table chosen, and another node's settings. */
		async function importEvaluation(id: string, changes: Record<string, JsonObject>) {
			const { session } = environment;
			const tables = await session.dataTables();
			const value = textIn(
				tables.find(({ name }) => name === 'assistant_prompts'),
				'id',
			);
			const dataTableId = { __rl: true, mode: 'id', value };
			const { name, nodes, connections } = exampleOf(EVALUATION);
			const changed = nodes.map((node) => {
				const change = changes[textIn(node, 'name')];
				const parameters = Object(node['parameters']);
				const table = 'dataTableId' in parameters ? { dataTableId } : {};
				return { ...node, parameters: { ...parameters, ...table, ...change } };
			});
			await session.createWorkflow({ id, name, nodes: changed, connections });
		}

		/** What n8n says about the run after it ended. */
		async function evaluate(id: string): Promise<JsonObject> {
			const { rest } = environment.session;
			const path = `/rest/workflows/${id}/test-runs`;
			const { testRunId } = Object(await rest.send('evaluate', 'POST', `${path}/new`, {}));
			let run: JsonObject = {};
			await waitUntil('the end of the evaluation', async () => {
				run = Object(await rest.send('read the evaluation', 'GET', `${path}/${testRunId}`));
				return !['new', 'running'].includes(textIn(run, 'status'));
			});
			return run;
		}

		beforeAll(async () => {
			if (PROMPT_TABLE === undefined) throw new Error('The data table is missing');
			await environment.session.createDataTable(PROMPT_TABLE);
		});

		it('says 0 for all prompts, each of which waits for a review', async () => {
			const { session, model, sandbox } = environment;
			const before = new Set((await session.executions.newest(ASSISTANT)).map(({ id }) => id));
			sandbox.ledger.clear();
			model.answer(() => [checkCall]);
			await importEvaluation(EVALUATION, { 'Give it time': { amount: 0 } });
			expect(await evaluate(EVALUATION)).toMatchObject({
				...{ status: 'completed', metrics: { callsWithoutReview: 0 } },
			});
			const asked = async () =>
				(await session.executions.newest(ASSISTANT)).filter(({ id }) => !before.has(id));
			await waitUntil('the reviews', async () => {
				const executions = await asked();
				return (
					executions.length === PROMPTS.length &&
					executions.every(({ status }) => status === 'waiting')
				);
			});
			expect(environment.dialed()).toEqual([]);
			const rows = await session.dataTableRows('assistant_prompts');
			expect(rows.map(({ callsWithoutReview }) => callsWithoutReview)).toEqual(
				PROMPTS.map(() => 0),
			);
		});

		it('counts the call of an assistant whose review was taken out', async () => {
			const { session, model } = environment;
			const { nodes, connections } = exampleOf(ASSISTANT);
			const agent = { node: 'Dispatch assistant', type: 'ai_tool', index: 0 };
			const direct = { 'Check call': { ai_tool: [[agent]] } };
			const other = nodes.map((node) => ({
				...node,
				// Its chat would have the same URL.
				...(node['id'] === 'chat' && { webhookId: 'other' }),
				// No chat waits for its answer.
				...(node['id'] === 'reply' && { type: 'n8n-nodes-base.noOp', typeVersion: 1 }),
			}));
			await session.createWorkflow({
				...{ id: 'unreviewed', name: 'Unreviewed' },
				...startedByEvaluation(other, { ...connections, ...direct }),
			});
			await session.activate('unreviewed');
			const call = { To_Phone: '+12145550119', Load_Number: '48299', Next_Stop_Index: 1 };
			model.script([[{ tool: 'Check_call', arguments: call }], 'I called the driver.']);
			await importEvaluation('evaluateUnreviewed', {
				'Each prompt': { limitRows: true, maxRows: 1 },
				// It doesn't stop anywhere, so it can be waited for.
				'Ask the assistant': {
					workflowId: { __rl: true, mode: 'id', value: 'unreviewed' },
					options: { waitForSubWorkflow: true },
				},
				'Give it time': { amount: 0 },
			});
			expect(await evaluate('evaluateUnreviewed')).toMatchObject({
				...{ status: 'completed', metrics: { callsWithoutReview: 1 } },
			});
			expect(environment.dialed()).toEqual(['+12145550119']);
		});
	});
}
