import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../../playground/n8n/rest.mts';

/** A tool as described to the model. */
export interface OfferedTool {
	name: string;
	description: string;
	/** The JSON schema of its arguments. */
	parameters: JsonObject;
}

export interface ToolCall {
	tool: string;
	arguments: JsonObject;
}

/** The model's response: tool calls, or its final answer. */
export type Turn = ToolCall[] | string;

/**
 * Replaces the language model: a local chat completions server that returns scripted responses and
 * records what it receives.
 */
export interface ScriptedModel {
	/** For the Base URL of n8n's OpenAI credential. */
	baseUrl: string;
	/** The responses to the next requests; after them it says "Done.". Clears the records. */
	script(turns: Turn[]): void;
	/** Answers each further request by what it says, as text. Clears the records. */
	answer(to: (request: string) => Turn): void;
	/** The tools in the last request. */
	tools(): OfferedTool[];
	/** What its tool calls returned, in order, as text. */
	results(): string[];
	/** Everything it received since `script`. */
	read(): string;
	close(): Promise<void>;
}

export async function startModel(): Promise<ScriptedModel> {
	let turnFor: (request: string, nth: number) => Turn = () => 'Done.';
	let asked: JsonObject[] = [];
	const server = createServer((request, response) => {
		void bodyOf(request).then((body) => {
			const nth = asked.push(body);
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(completion(turnFor(JSON.stringify(body), nth), nth)));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = isRecord(address) ? Number(address['port']) : 0;
	const messages = () => recordsIn(asked.at(-1), 'messages');
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		script(turns) {
			turnFor = (_request, nth) => turns[nth - 1] ?? 'Done.';
			asked = [];
		},
		answer(to) {
			turnFor = to;
			asked = [];
		},
		tools: () => recordsIn(asked.at(-1), 'tools').map(offered),
		results: () =>
			messages()
				.filter((message) => message['role'] === 'tool')
				.map((message) => textIn(message, 'content')),
		read: () => JSON.stringify(asked),
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}');
	return isRecord(body) ? body : {};
}

function offered(tool: JsonObject): OfferedTool {
	const described = isRecord(tool['function']) ? tool['function'] : {};
	const { parameters } = described;
	return {
		name: textIn(described, 'name'),
		description: textIn(described, 'description'),
		parameters: isRecord(parameters) ? parameters : {},
	};
}

function completion(turn: Turn, question: number) {
	const message =
		typeof turn === 'string'
			? { role: 'assistant', content: turn }
			: {
					role: 'assistant',
					content: null,
					tool_calls: turn.map((call, nth) => asked(call, `call_${question}_${nth}`)),
				};
	return {
		id: `answer-${question}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [
			{ index: 0, message, finish_reason: typeof turn === 'string' ? 'stop' : 'tool_calls' },
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function asked({ tool, arguments: values }: ToolCall, id: string) {
	return { id, type: 'function', function: { name: tool, arguments: JSON.stringify(values) } };
}
