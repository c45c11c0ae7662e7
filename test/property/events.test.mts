import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { startEngine, type Engine } from '../engine/harness/index.mts';
import { SECRET, Sender, signed, type Shot } from './events-sender.mts';

/** Requests in all, shared by the tests below. */
const total = Number(process.env['EVENT_RUNS'] ?? 100_000);
const BATCH = 1000;
const seed = 20_260_302;

const credentials = {
	carrierLoadCommunicationsWebhookApi: { method: 'hmac', secret: SECRET, previousSecret: 'former' },
};

const names = fc.constantFrom(
	...['event', 'type', 'metadata', 'data', 'call', 'payload', 'events', 'id', 'callId', 'status'],
	...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'loadIds'],
	...['n8nResumeUrl', 'toPhone', 'loadNumber', '', 'polluted', 'conversation', 'json', 'error'],
);
const key = fc.oneof({ weight: 4, arbitrary: names }, fc.string({ maxLength: 6 }));
const leaf = fc.oneof(
	fc.string({ maxLength: 12 }),
	fc.uint8Array({ maxLength: 6 }).map((array) => Buffer.from(array).toString('latin1')),
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constantFrom(null, '', '{"polluted":1}', 1e308, 'call.completed', 'http://127.0.0.1/rest/'),
);
const { value: anyJson } = fc.letrec<{ value: unknown; holder: unknown }>((tie) => ({
	value: fc.oneof({ maxDepth: 4, depthSize: 'small' }, leaf, tie('holder')),
	holder: fc.oneof(
		fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(asObjectText),
		fc.array(tie('value'), { maxLength: 4 }),
	),
}));

/** Kept as text, so that a key like __proto__ stays a key. */
class Json {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

function asObjectText(entries: [string, unknown][]): Json {
	return new Json(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`)}}`);
}

function write(value: unknown): string {
	if (value instanceof Json) return value.text;
	if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
	return JSON.stringify(value) ?? 'null';
}

const json = anyJson.map((value) => Buffer.from(write(value)));

/** Some bytes of a body changed, taken out or put in. */
const mutated = fc
	.tuple(
		json,
		fc.array(fc.tuple(fc.nat(400), fc.nat(255), fc.nat(2)), { minLength: 1, maxLength: 3 }),
	)
	.map(([body, changes]) => {
		let bytes = [...body];
		for (const [place, byte, way] of changes) {
			const at = place % (bytes.length + 1);
			bytes = [
				...bytes.slice(0, at),
				...(way === 2 ? [] : [byte]),
				...bytes.slice(at + (way === 0 ? 1 : 0)),
			];
		}
		return Buffer.from(bytes);
	});

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const bodies = fc.oneof({ weight: 4, arbitrary: json }, { weight: 3, arbitrary: mutated }, bytes);

const headerNames = [
	'content-type',
	'x-signature',
	'x-timestamp',
	'authorization',
	'x-forwarded-for',
];
const headerName = fc.constantFrom(...headerNames, 'cookie', 'x-event-id', 'accept', 'x-hook');
const headerText = fc.oneof(
	fc.stringMatching(/^[\x21-\x7e]([\x20-\x7e]{0,30}[\x21-\x7e])?$/),
	fc.constantFrom('sha256=', 'sha256=00', 'application/json', 'text/plain; charset=utf-16', '1'),
	fc.constantFrom('multipart/form-data', 'application/x-www-form-urlencoded', 'Basic Og==', '-1'),
	fc.nat().map(() => String(Math.floor(Date.now() / 1000))),
	fc.stringMatching(/^sha256=[0-9a-f]{64}$/),
);
const headers = fc.dictionary(headerName, headerText, { maxKeys: 5 });

type Change = (shot: Shot, place: number, byte: number) => Shot;

const flip = (text: string, place: number, byte: number) => {
	const at = place % text.length;
	const other = (text.charCodeAt(at) ^ (1 + (byte % 15))) & 0x7f;
	const safe = other < 0x21 || other === 0x7f ? 0x21 : other;
	return `${text.slice(0, at)}${String.fromCharCode(safe)}${text.slice(at + 1)}`;
};
const withHeader = (shot: Shot, name: string, value: string): Shot => ({
	...shot,
	headers: { ...shot.headers, [name]: value },
});

/** Ways to spoil a request that was signed well. */
const forgeries: Change[] = [
	(shot, place, byte) => {
		const body = Buffer.from(shot.body);
		const at = place % body.length;
		body[at] = (body[at] ?? 0) ^ (1 + (byte % 255));
		return { ...shot, body };
	},
	(shot, place) => ({ ...shot, body: shot.body.subarray(0, place % shot.body.length) }),
	(shot, _place, byte) => ({ ...shot, body: Buffer.concat([shot.body, Buffer.from([byte])]) }),
	(shot, place, byte) =>
		withHeader(shot, 'x-signature', flip(String(shot.headers['x-signature']), place, byte)),
	(shot, place, byte) =>
		withHeader(shot, 'x-timestamp', flip(String(shot.headers['x-timestamp']), place, byte)),
	(shot, place) =>
		withHeader(shot, 'x-signature', String(shot.headers['x-signature']).slice(0, place % 71)),
	(shot) => withHeader(shot, 'x-timestamp', String(Number(shot.headers['x-timestamp']) + 1)),
	({ body }) => signed(body, Date.now(), 'the secret of the fuzz tesT'),
	({ body }) => signed(body, Date.now(), ''),
	({ body }) => ({ ...signed(body, Date.now()), headers: { 'content-type': 'application/json' } }),
];

/** The same signature, only written in another way: a hexadecimal digit in capitals. */
const isSame = (forged: Shot, shot: Shot) =>
	forged.body.equals(shot.body) &&
	forged.headers['x-timestamp'] === shot.headers['x-timestamp'] &&
	forged.headers['x-signature']?.slice(7).toLowerCase() === shot.headers['x-signature']?.slice(7);

let engine: Engine;
const started = new Set<number>();
const errors: unknown[] = [];

async function openTrigger(parameters: object) {
	const webhook = await engine.openWebhook(
		parameters as never,
		(incoming, outcome) => {
			if (outcome.started) started.add(Number(incoming.headers['x-shot']));
			if (outcome.error) errors.push(outcome.error);
		},
		{ credentials, node: { id: randomUUID() } },
	);
	const sender = new Sender(webhook.port);
	return {
		sender,
		close() {
			sender.close();
			webhook.close();
		},
	};
}

beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());
beforeEach(() => {
	started.clear();
	errors.length = 0;
});

/** Sends so many requests, in batches, and hands each batch with its statuses on. */
async function bombard<Round>(
	parameters: object,
	share: number,
	rounds: fc.Arbitrary<Round>,
	shotOf: (round: Round) => Shot,
	judge: (shot: Shot, status: number, isStarted: boolean, round: Round) => void,
): Promise<void> {
	const { sender, close } = await openTrigger(parameters);
	try {
		const count = Math.ceil(total * share);
		for (let done = 0; done < count; done += BATCH) {
			const size = Math.min(BATCH, count - done);
			const batch = fc.sample(rounds, { numRuns: size, seed: seed + done });
			const shots = batch.map(shotOf);
			started.clear();
			const statuses = await sender.fire(shots);
			for (const [index, round] of batch.entries()) {
				const shot = shots[index] as Shot;
				judge(shot, statuses[index] ?? 0, started.has(index), round);
			}
		}
		expect(errors).toEqual([]);
	} finally {
		close();
	}
	expect('polluted' in {}).toBe(false);
	expect(Object.keys(Object.prototype)).toEqual([]);
}

const inWords = (shot: Shot, status: number) =>
	`${status} for ${shot.body.toString('latin1')} with ${JSON.stringify(shot.headers)}`;

function demand(holds: boolean, shot: Shot, status: number): void {
	if (!holds) throw new Error(inWords(shot, status));
}

const minutes = 10 * 60_000;

describe('a trigger that verifies', () => {
	it(
		'refuses all that strangers send, whatever it is',
		async () => {
			const strangers = fc.record({ body: bodies, headers });
			await bombard(
				{},
				0.25,
				strangers,
				(round) => ({ method: 'POST', ...round }),
				(shot, status, isStarted) => demand(status === 401 && !isStarted, shot, status),
			);
		},
		minutes,
	);

	it(
		'refuses every forged signature',
		async () => {
			const forged = fc.tuple(
				bodies.filter((body) => body.length > 0),
				fc.constantFrom(...forgeries),
				fc.nat(1000),
				fc.nat(255),
			);
			let judged = 0;
			await bombard(
				{},
				0.25,
				forged,
				([body, forge, place, byte]) => forge(signed(body, Date.now()), place, byte),
				(shot, status, isStarted, [body]) => {
					const time = Number(shot.headers['x-timestamp']) * 1000;
					if (isSame(shot, signed(body, time))) return;
					judged += 1;
					demand(status === 401 && !isStarted, shot, status);
				},
			);
			expect(judged).toBeGreaterThan(total * 0.2);
		},
		minutes,
	);

	it(
		'refuses every request that is sent again after its time',
		async () => {
			const replayed = fc.tuple(bodies, fc.integer({ min: 302, max: 10_000_000 }), fc.boolean());
			await bombard(
				{},
				0.1,
				replayed,
				([body, age, ahead]) => signed(body, Date.now() + age * (ahead ? 1000 : -1000)),
				(shot, status, isStarted) => demand(status === 401 && !isStarted, shot, status),
			);
		},
		minutes,
	);

	it(
		'takes every object and array that is signed, and nothing else',
		async () => {
			await bombard(
				{ eventOptions: { ignoreRepeats: false } },
				0.15,
				bodies,
				(body) => signed(body, Date.now()),
				({ body, ...shot }, status, isStarted) => {
					const events = eventsIn(body);
					const expected = events === undefined ? 400 : 200;
					const wanted = (events ?? 0) > 0;
					demand(status === expected && isStarted === wanted, { body, ...shot }, status);
				},
			);
		},
		minutes,
	);
});

describe('an open trigger with all its options', () => {
	it(
		'answers every body with 200 or 400',
		async () => {
			const parameters = {
				authentication: 'none',
				eventKinds: 'split',
				kinds: 'call.completed, __proto__',
				eventOptions: {
					...{ eventIdField: 'id', eventListField: 'events', metadataField: 'data.__proto__' },
					...{ includeHeaders: true, eventIdHeader: 'x-event-id' },
				},
				filters: { metadata: { condition: [{ key: '__proto__', test: 'exists' }] } },
			};
			await bombard(
				parameters,
				0.25,
				fc.record({ body: bodies, headers }),
				(round) => ({ method: 'POST', ...round }),
				(shot, status) => demand(status === 200 || status === 400, shot, status),
			);
		},
		minutes,
	);
});

/** How many events there are; undefined when the body is neither object nor array. */
function eventsIn(body: Buffer): number | undefined {
	try {
		const parsed: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
		if (Array.isArray(parsed)) return parsed.length;
		return typeof parsed === 'object' && parsed !== null ? 1 : undefined;
	} catch {
		return undefined;
	}
}
