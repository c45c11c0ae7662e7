import fc from 'fast-check';
import { startEngine, type Engine } from '../engine/support/harness/index.mts';
import { bodies, headers } from './support/events/bodies.mts';
import { sendManyTo, expectThat, total } from './support/events/trigger.mts';
import { forgeries, isSame } from './support/events/forgeries.mts';
import { signed, type WebhookRequest } from './support/events/sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

const sendMany = sendManyTo(() => engine);

const minutes = 60 * 60_000;

/** n8n itself answers 422 to a body that it cannot read, and 500 to a charset that it does not know. */
const isByN8n = ({ headers }: WebhookRequest, status: number) =>
	status === 422 || (status === 500 && /charset=/.test(String(headers['content-type'])));

describe('a trigger that verifies', () => {
	it(
		'rejects unauthenticated requests',
		async () => {
			const strangers = fc.record({ body: bodies, headers });
			await sendMany(
				{},
				0.25,
				strangers,
				(round) => ({ method: 'POST', ...round }),
				(request, status, isStarted) =>
					expectThat((status === 401 || isByN8n(request, status)) && !isStarted, request, status),
			);
		},
		minutes,
	);

	it(
		'rejects every forged signature',
		async () => {
			const forged = fc.tuple(
				bodies.filter((body) => body.length > 0),
				fc.constantFrom(...forgeries),
				fc.nat(1000),
				fc.nat(255),
			);
			let judged = 0;
			await sendMany(
				{},
				0.25,
				forged,
				([body, forge, place, byte]) => forge(signed(body, Date.now()), place, byte),
				(request, status, isStarted, [body]) => {
					const time = Number(request.headers['x-timestamp']) * 1000;
					if (isSame(request, signed(body, time))) return;
					judged += 1;
					expectThat((status === 401 || isByN8n(request, status)) && !isStarted, request, status);
				},
			);
			expect(judged).toBeGreaterThan(total * 0.2);
		},
		minutes,
	);

	it(
		'rejects every request that is replayed too late',
		async () => {
			const replayed = fc.tuple(bodies, fc.integer({ min: 900, max: 10_000_000 }), fc.boolean());
			await sendMany(
				{},
				0.1,
				replayed,
				([body, age, ahead]) => signed(body, Date.now() + age * (ahead ? 1000 : -1000)),
				(request, status, isStarted) =>
					expectThat((status === 401 || isByN8n(request, status)) && !isStarted, request, status),
			);
		},
		minutes,
	);

	it(
		'accepts every signed object and array, and nothing else',
		async () => {
			await sendMany(
				{ eventOptions: { ignoreRepeats: false } },
				0.15,
				bodies,
				(body) => signed(body, Date.now()),
				({ body, ...request }, status, isStarted) => {
					const events = eventsIn(body);
					const expected = events === undefined ? 400 : 200;
					const wanted = (events ?? 0) > 0;
					expectThat(
						(status === expected || (events === undefined && status === 422)) &&
							isStarted === wanted,
						{ body, ...request },
						status,
					);
				},
			);
		},
		minutes,
	);
});

describe('an open trigger with all its options', () => {
	it(
		'responds to every body with 200 or 400, unless n8n cannot read it',
		async () => {
			const parameters = {
				authentication: 'none',
				eventKinds: 'split',
				kinds: 'call.completed, __proto__',
				eventOptions: {
					...{ eventIdField: 'id', eventListField: 'events', metadataField: 'data.__proto__' },
				},
				filters: { metadata: { condition: [{ key: '__proto__', test: 'exists' }] } },
			};
			await sendMany(
				parameters,
				0.25,
				fc.record({ body: bodies, headers }),
				(round) => ({ method: 'POST', ...round }),
				(request, status) =>
					expectThat([200, 400].includes(status) || isByN8n(request, status), request, status),
			);
		},
		minutes,
	);
});

/** Number of events; undefined if the body is neither an object nor an array. */
function eventsIn(body: Buffer): number | undefined {
	try {
		const parsed: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
		if (Array.isArray(parsed)) return parsed.length;
		if (typeof parsed !== 'object' || parsed === null) return undefined;
		return JSON.stringify(parsed) === '{"events":[]}' ? 0 : 1;
	} catch {
		return undefined;
	}
}
