import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { PACKAGE_NAME } from '../../playground/lib/places.mts';
import { type Sandbox, startSandbox } from '../../sandbox/index.mts';
import { SECRET, signed, TriggerStage, until } from './triggers-stage.mts';

const stage = new TriggerStage();

beforeAll(async () => await stage.open(), 240_000);
afterAll(async () => await stage.close(), 60_000);

const eventOf = (changes: object = {}) =>
	JSON.stringify({ event: 'call.completed', id: randomUUID(), metadata: { a: 1 }, ...changes });

async function send(url: string, request: RequestInit) {
	const response = await fetch(url, request);
	const text = await response.text();
	return { status: response.status, text, headers: response.headers };
}

const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
	method: 'POST',
	body,
	headers: { 'content-type': 'application/json', ...headers },
});

describe('the production address', () => {
	it('answers every request itself, and starts only what it has to', async () => {
		const { id, url } = await stage.activeTrigger();
		const large = Buffer.alloc(17 * 1024 * 1024, 32);
		const zipped = gzipSync(eventOf({ zipped: true }));
		const cases: Array<[string, number, RequestInit]> = [
			['a signed event', 200, signed(eventOf())],
			['a signed list', 200, signed(`[${eventOf()},${eventOf()}]`)],
			['a signed event as text', 200, signed(eventOf(), { 'content-type': 'text/plain' })],
			['a type that is none', 200, signed(eventOf(), { 'content-type': ';;=,' })],
			[
				'an unknown charset',
				200,
				signed(eventOf(), { 'content-type': 'application/json; charset=x' }),
			],
			['an empty list', 200, signed('[]')],
			['not signed', 401, post(eventOf())],
			['not signed, and not JSON', 401, post('{"a":')],
			['signed, but changed', 401, { ...signed(eventOf()), body: eventOf() }],
			['signed, but not JSON', 400, signed('{"a":')],
			['signed, but a number', 400, signed('42')],
			['signed, but nothing', 400, signed('')],
			['signed, but XML', 400, signed('<a/>', { 'content-type': 'text/xml' })],
			['signed, but a form', 400, signed('a=b', { 'content-type': 'multipart/form-data' })],
			['signed, but nested too deeply', 400, signed('['.repeat(1e5) + ']'.repeat(1e5))],
			['said to be packed, but not', 400, signed(eventOf(), { 'content-encoding': 'gzip' })],
			[
				'packed, but signed unpacked wrongly',
				401,
				{
					...signed(eventOf(), { 'content-encoding': 'gzip' }),
					body: zipped,
				},
			],
			['too large', 413, signed(large)],
			['GET', 405, { method: 'GET' }],
			['HEAD', 405, { method: 'HEAD' }],
			['PUT', 405, { ...signed(eventOf()), method: 'PUT' }],
			['DELETE', 405, { method: 'DELETE' }],
		];
		for (const [what, expected, request] of cases) {
			const { status } = await send(url, request);
			expect([what, status]).toEqual([what, expected]);
		}
		await until('the executions', async () => (await stage.executionCount(id)) === 5);
		expect(stage.log()).toContain('"Trigger" refused a webhook request: its signature does not');
		expect(stage.log()).not.toContain(SECRET);
	}, 120_000);

	it('has the answer that the user wants', async () => {
		const eventOptions = { healthCheck: true, responseCode: 202, responseBody: '{ "ok": 1 }' };
		const { url } = await stage.activeTrigger({ authentication: 'none', eventOptions });
		expect(await send(url, post(eventOf()))).toMatchObject({ status: 202, text: '{"ok":1}' });
		expect(await send(url, { method: 'HEAD' })).toMatchObject({ status: 200 });
		expect((await send(url, { method: 'GET' })).text).toContain('Ready');
	}, 60_000);

	it('does not believe who a sender says it is', async () => {
		const eventOptions = { allowedAddresses: '203.0.113.0/24' };
		const { id, url } = await stage.activeTrigger({ authentication: 'none', eventOptions });
		const request = post(eventOf(), { 'x-forwarded-for': '203.0.113.7' });
		expect(await send(url, request)).toMatchObject({ status: 401 });
		expect(await stage.executionIds(id)).toEqual([]);
	}, 60_000);

	it('answers filtered events, and starts nothing', async () => {
		const { id, url } = await stage.activeTrigger({ eventKinds: 'only', kinds: 'call.failed' });
		const { status, text } = await send(url, signed(eventOf()));
		expect([status, JSON.parse(text)]).toEqual([
			200,
			expect.objectContaining({ filtered: 1, started: 0 }),
		]);
		expect(await stage.executionIds(id)).toEqual([]);
	}, 60_000);

	it('never answers with an error of its own, whatever strangers send', async () => {
		const { id, url } = await stage.activeTrigger();
		const kinds = ['application/json', 'text/xml', 'multipart/form-data; boundary=x', 'x', ''];
		const encodings = ['', 'gzip', 'deflate', 'br', 'nonsense'];
		const bodies = ['{}', '{"__proto__":{"polluted":1}}', '[', '\u0000', '<a/>', 'a=b', ''];
		const seen = new Set<number>();
		for (const kind of kinds) {
			for (const encoding of encodings) {
				for (const body of bodies) {
					const headers = {
						...(kind && { 'content-type': kind }),
						...(encoding && { 'content-encoding': encoding }),
						'x-signature': `sha256=${'0'.repeat(64)}`,
						'x-timestamp': String(Math.floor(Date.now() / 1000)),
					};
					seen.add((await send(url, { method: 'POST', body, headers })).status);
				}
			}
		}
		expect([...seen].sort()).toEqual([400, 401]);
		expect(await stage.executionIds(id)).toEqual([]);
	}, 120_000);
});

describe('the test address', () => {
	it('behaves like the production address', async () => {
		const { id, path } = await stage.trigger();
		const url = `${stage.baseUrl}/webhook-test/${path}`;
		const listen = async () => {
			const run = { triggerToStartFrom: { name: 'Trigger' } };
			await stage.session.rest.send('listen', 'POST', `/rest/workflows/${id}/run`, run);
		};
		const body = eventOf();
		for (let nth = 0; nth < 2; nth++) {
			await listen();
			expect(await send(url, post(body))).toMatchObject({ status: 401 });
			expect(await send(url, signed('{"a":'))).toMatchObject({ status: 400 });
			expect(await send(url, { method: 'PUT' })).toMatchObject({ status: 405 });
			expect(await send(url, signed(body))).toMatchObject({ status: 200 });
			await until('the test run', async () => (await stage.executionCount(id)) === nth + 1);
		}
	}, 120_000);
});

describe('many events', () => {
	const COUNT = 2000;

	it('start one execution each, with its own metadata, none lost and none doubled', async () => {
		const { id, url } = await stage.activeTrigger();
		const numbers = Array.from({ length: COUNT }, (_, nth) => nth);
		const queue = numbers.values();
		const statuses: number[] = [];
		const sender = async () => {
			for (const nth of queue) {
				const body = eventOf({ callId: nth, metadata: { nth, load: `L${nth}` } });
				statuses.push((await send(url, signed(body))).status);
			}
		};
		await Promise.all(Array.from({ length: 16 }, sender));
		expect(statuses.filter((status) => status === 200)).toHaveLength(COUNT);

		const all = async () => (await stage.executionCount(id)) >= COUNT;
		await until('all executions', all, 5);
		const metadata: unknown[] = [];
		const executions = (await stage.executionIds(id)).values();
		const reader = async () => {
			for (const execution of executions) {
				const items = await stage.itemsOf(execution);
				metadata.push(...items.map((item) => item['metadata']));
			}
		};
		await Promise.all(Array.from({ length: 4 }, reader));
		const byNumber = (one: unknown, other: unknown) => Number(Object(one).nth) - Object(other).nth;
		expect(metadata.sort(byNumber)).toEqual(numbers.map((nth) => ({ nth, load: `L${nth}` })));
	}, 1_200_000);

	it('start once when each comes several times at the same moment, and after a restart', async () => {
		const { id, url } = await stage.activeTrigger();
		const bodies = Array.from({ length: 100 }, () => eventOf());
		const answers = await Promise.all(
			[...bodies, ...bodies, ...bodies].map(async (body) => await send(url, signed(body))),
		);
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
		await until('the executions', async () => (await stage.executionCount(id)) === 100);

		// Of requests that come together the last one wins; the next event saves them all.
		await send(url, signed(eventOf()));
		await stage.restart();
		const again = url.replace(/^http:\/\/[^/]+/, stage.baseUrl);
		await stage.registered(again);
		const repeated = await Promise.all(
			bodies.map(async (body) => JSON.parse((await send(again, signed(body))).text) as object),
		);
		expect(repeated).toEqual(
			bodies.map(() => expect.objectContaining({ repeated: 1, started: 0 })),
		);
		expect(await stage.executionIds(id)).toHaveLength(101);
	}, 240_000);
});

describe('the recipe against repeats that the trigger lets through', () => {
	it('starts what follows once for each event', async () => {
		const { url, id } = await stage.recipe();
		const body = eventOf({ id: 'evt_1' });
		let count = 0;
		for (const other of [body, body, eventOf({ id: 'evt_2' }), body]) {
			expect(await send(url, signed(other))).toMatchObject({ status: 200 });
			count += 1;
			await until('the end of its execution', async () => {
				const ids = await stage.executionIds(id);
				return ids.length === count && (await stage.haveEnded(ids));
			});
		}
		const executions = await stage.executionIds(id);
		const passed = await Promise.all(
			executions.map(async (one) => await stage.itemsOf(one, 'Remove Duplicates', 0)),
		);
		const ids = passed.flat().map((item) => Object(item['payload']).id);
		expect(ids.sort()).toEqual(['evt_1', 'evt_2']);
	}, 240_000);
});

describe('an execution that waits', () => {
	it('goes on with the event, and nothing else starts', async () => {
		const { id, url } = await stage.activeTrigger();
		const path = randomUUID();
		const node = (
			name: string,
			type: string,
			typeVersion: number,
			parameters: object,
			at: number,
		) => ({
			...{ id: randomUUID(), name, type: `n8n-nodes-base.${type}`, typeVersion, parameters },
			...{ position: [at, 0], webhookId: type === 'webhook' ? path : randomUUID() },
		});
		const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
		const answer = { respondWith: 'text', responseBody: '={{ $execution.resumeUrl }}' };
		const waiting = await stage.session.createWorkflow({
			name: 'Waits for its call',
			nodes: [
				node('Ask', 'webhook', 2, { httpMethod: 'POST', path, responseMode: 'responseNode' }, 0),
				node('Tell address', 'respondToWebhook', 1.1, answer, 200),
				node('Wait', 'wait', 1.1, { resume: 'webhook', httpMethod: 'POST', options: {} }, 400),
			],
			connections: { Ask: to('Tell address'), 'Tell address': to('Wait') },
			settings: { executionOrder: 'v1' },
		});
		const waitingId = String(waiting['id']);
		await stage.session.activate(waitingId);
		const ask = `${stage.baseUrl}/webhook/${path}`;
		await stage.registered(ask);
		const { text: n8nResumeUrl } = await send(ask, post('{}'));
		expect(n8nResumeUrl).toContain('/webhook-waiting/');

		const body = eventOf({ metadata: { n8nResumeUrl } });
		const { text } = await send(url, signed(body));
		expect(JSON.parse(text)).toMatchObject({ resumed: 1, started: 0 });
		const [execution = ''] = await stage.executionIds(waitingId);
		await until('the waiting execution', async () => {
			const found = await stage.session.rest.send('look', 'GET', `/rest/executions/${execution}`);
			return Object(found).status === 'success';
		});
		const [item] = await stage.itemsOf(execution, 'Wait');
		expect(item?.['body']).toMatchObject({ event: 'call.completed', payload: JSON.parse(body) });
		expect(await stage.executionIds(id)).toEqual([]);

		// It has gone on: an event that comes late must not be lost.
		const late = await send(url, signed(eventOf({ metadata: { n8nResumeUrl } })));
		expect(JSON.parse(late.text)).toMatchObject({ resumed: 0, started: 1 });
	}, 120_000);
});

describe('the polling trigger', () => {
	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox({ calls: 20 })));
	afterAll(async () => await sandbox?.close());

	it('hands every new call on once, also over a restart of n8n', async () => {
		const name = 'The sandbox';
		await stage.session.createCredential({
			...{ name, type: 'carrierLoadCommunicationsApi' },
			data: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north },
		});
		const id = await stage.create('Poll', {
			...{ type: `${PACKAGE_NAME}.carrierLoadCommunicationsPollingTrigger`, typeVersion: 1 },
			parameters: {
				event: 'newCall',
				pollTimes: { item: [{ mode: 'everyMinute' }] },
			},
			credentials: { carrierLoadCommunicationsApi: { id: null, name } },
		});
		await stage.session.activate(id);
		await until('the first poll', async () => sandbox.ledger.requests('listCalls').length > 0);

		const inserted: number[] = [];
		const seen = async () => {
			const executions = await stage.executionIds(id);
			const items = await Promise.all(
				executions.map(async (one) => await stage.itemsOf(one, 'Poll')),
			);
			return items.flat().map((item) => item['id']);
		};
		const arrived = async () => (await seen()).length >= inserted.length;
		inserted.push(...sandbox.insert({ count: 3 }));
		await until('three calls', arrived, 3);
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'status', status: 500 }, times: 2 });
		inserted.push(...sandbox.insert({ count: 2 }));
		await until('two more', arrived, 5);

		const asked = sandbox.ledger.requests('listCalls').length;
		await stage.restart();
		inserted.push(...sandbox.insert({ count: 4 }));
		await until('four more', arrived, 3);
		const polled = async () => sandbox.ledger.requests('listCalls').length > asked + 2;
		await until('more polls', polled, 5);
		expect((await seen()).sort()).toEqual([...inserted].sort());
	}, 1_200_000);
});
