import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { startEngine, type Engine } from '../engine/support/harness/index.mts';
import { shapes } from '../unit/support/events/shapes.mts';

/** Streams of events, one for each call. */
const STREAMS = Number(process.env['EVENT_STREAMS'] ?? 10_000);
const CALLS_PER_REQUEST = 40;

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

const live = (callId: number): object[] => [
	{ event: 'call.created', callId },
	{ event: 'call.ringing', callId },
	{ event: 'call_answered', callId, status: 'IN_PROGRESS' },
	{
		event: 'tool_calls',
		callId,
		function: { name: 'getLoad', arguments: { status: 'completed' } },
	},
	{ event: 'transcript', callId, formattedTranscript: 'Agent: Hi', transcript: [] },
	{ event: 'transcript', callId, formattedTranscript: 'Agent: Hi\nDriver: Hello' },
	{ type: 'status-update', callId, status: 'in-progress' },
	{ message: { type: 'speech-update', callId, status: 'started' } },
];

/** The event that ends a call, in one of the shapes, but about another call. */
const endOf = (callId: number, shape: number): unknown => {
	const [, body] = shapes[shape % shapes.length] ?? [];
	const text = JSON.stringify(body).replaceAll('4711', String(callId));
	const event: unknown = JSON.parse(text);
	if (Array.isArray(event)) return event[0];
	const { events, data } = Object(event);
	return Array.isArray(events) ? events[0] : Array.isArray(data) ? data[0] : event;
};

const stream = fc.record({
	shape: fc.nat(1000),
	live: fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]),
	copies: fc.integer({ min: 1, max: 3 }),
});

describe('10,000 calls, each with live events and an end, repeated and in any order', () => {
	it('start the workflow once each, without missing one', async () => {
		const started: unknown[] = [];
		const webhook = await engine.openWebhook(
			{ authentication: 'none', output: 'all' },
			(_incoming, { workflowData, error }) => {
				if (error) throw error;
				started.push(...(workflowData?.flat() ?? []).map(({ json }) => json.callId));
			},
			{ node: { id: randomUUID() } },
		);
		const streams = fc.sample(stream, { numRuns: STREAMS, seed: 20_260_302 });
		for (let first = 0; first < STREAMS; first += CALLS_PER_REQUEST) {
			const events = streams.slice(first, first + CALLS_PER_REQUEST).flatMap((each, index) => {
				const callId = 1_000_000 + first + index;
				const during = live(callId).filter((_, nth) => each.live.includes(nth));
				const ends = Array.from({ length: each.copies }, () => endOf(callId, each.shape));
				return [...during, ...ends];
			});
			const [shuffled = events] = fc.sample(
				fc.shuffledSubarray(events, { minLength: events.length }),
				{ numRuns: 1, seed: first },
			);
			const half = Math.floor(shuffled.length / 2);
			const requests = [shuffled.slice(0, half), shuffled.slice(half), shuffled.slice(0, 5)];
			await Promise.all(
				requests.map(async (body) => {
					const response = await fetch(`http://127.0.0.1:${webhook.port}/webhook`, {
						...{ method: 'POST', body: JSON.stringify(body) },
						headers: { 'content-type': 'application/json' },
					});
					expect(response.status).toBe(200);
					await response.text();
				}),
			);
		}
		webhook.close();
		const numbers = started.map(Number).sort((one, other) => one - other);
		expect(numbers).toEqual(Array.from({ length: STREAMS }, (_, nth) => 1_000_000 + nth));
	});
});
