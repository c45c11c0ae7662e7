import fc from 'fast-check';
import { type Sandbox, startSandbox } from '../../sandbox/index.mts';
import { type Described, operations, validatorOf } from './support/openapi/document.mts';
import { brokenRequests, type DrawnRequest, validRequests } from './support/openapi/requests.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ calls: 50, seed: 7, callDelayMs: Infinity });
});
afterAll(() => sandbox.close());

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

async function send(operation: Described, drawn: DrawnRequest, token?: string) {
	const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
		encodeURIComponent(asText(drawn.parameters[name])),
	);
	const query = new URLSearchParams(
		(operation.parameters ?? [])
			.filter(({ name, in: place }) => place === 'query' && name in drawn.parameters)
			.map(({ name }) => [name, asText(drawn.parameters[name])]),
	);
	const response = await fetch(`${sandbox.baseUrl}${path}?${query}`, {
		method: operation.method,
		headers: {
			...(token !== undefined && { authorization: `Bearer ${token}` }),
			...(operation.body && { 'content-type': 'application/json' }),
		},
		...(operation.body && { body: JSON.stringify(drawn.body) ?? '' }),
	});
	const type = response.headers.get('content-type')?.split(';')[0] ?? '';
	const bytes = await response.text();
	return { status: response.status, type, body: type.endsWith('json') ? JSON.parse(bytes) : bytes };
}

/** The response is one that the document describes: its status, its type and its body. */
function expectDescribed({ responses }: Described, answer: Awaited<ReturnType<typeof send>>) {
	expect(Object.keys(responses)).toContain(String(answer.status));
	const content = responses[answer.status]?.content ?? {};
	expect(Object.keys(content)).toContain(answer.type);
	const schema = content[answer.type]?.schema;
	if (schema === undefined || answer.type !== 'application/json') return;
	const isValid = validatorOf(schema);
	isValid(answer.body);
	expect(isValid.errors ?? []).toEqual([]);
}

const runs = { numRuns: 40, seed: 20_261_121 };

describe.each(operations)('$method $path answers as sandbox/openapi.json says', (operation) => {
	it('requests as it describes them', async () => {
		const property = fc.asyncProperty(validRequests(operation), async (drawn) => {
			const answer = await send(operation, drawn, sandbox.tokens.north);
			expectDescribed(operation, answer);
			if (operation.operationId === 'recording' && answer.status === 404) return;
			// A range may end before it begins; everything else is right.
			if (answer.status !== 200) expect(answer.body.message).toMatch(/before|after/);
		});
		await fc.assert(property, runs);
	});

	it('requests with a mistake', async () => {
		const isValidBody = operation.body && validatorOf(operation.body);
		const property = fc.asyncProperty(brokenRequests(operation), async (drawn) => {
			const dialed = sandbox.ledger.dialed().length;
			const answer = await send(operation, drawn, sandbox.tokens.north);
			expectDescribed(operation, answer);
			if (!isValidBody || isValidBody(JSON.parse(JSON.stringify(drawn.body ?? null)))) return;
			expect(answer.status).toBe(400);
			expect(sandbox.ledger.dialed()).toHaveLength(dialed);
		});
		await fc.assert(property, runs);
	});

	it('requests without a token', async () => {
		const property = fc.asyncProperty(validRequests(operation), async (drawn) => {
			const answer = await send(operation, drawn);
			expect(answer.status).toBe(401);
			expectDescribed(operation, answer);
		});
		await fc.assert(property, { ...runs, numRuns: 5 });
	});
});
