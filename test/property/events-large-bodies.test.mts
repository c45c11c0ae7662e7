import { startEngine, type Engine } from '../engine/support/harness/index.mts';
import { open, senderTo } from '../engine/support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

const send = senderTo(() => engine);

const filled = (text: string, megabytes: number) => {
	const count = Math.floor((megabytes * 1024 * 1024) / text.length);
	return text.repeat(count);
};

/** The largest bodies that n8n lets through are 16 MB. Made when they are sent: Jest prints what is in a table. */
const hostile: Array<[name: string, body: () => string]> = [
	['a list of millions of numbers', () => `[${filled('0,', 15.9)}0]`],
	['a list of millions of objects', () => `[${filled('{},', 15.9)}{}]`],
	['a list of millions of lists', () => `[${filled('[],', 15.9)}[]]`],
	['an envelope with millions of events', () => `{"events":[${filled('{},', 15.9)}{}]}`],
	[
		'an event with millions of numbers',
		() => `{"event":"call_ended","data":[${filled('0,', 15.9)}0]}`,
	],
	['an event with millions of fields', () => `{${filled('"a1":1,', 15.9)}"b":{"c":1}}`],
	[
		'an event with metadata as text of millions of lists',
		() => JSON.stringify({ event: 'call_ended', metadata: `{"a":[${filled('[],', 15.8)}0]}` }),
	],
	['nested lists', () => `${'['.repeat(8_000_000)}${']'.repeat(8_000_000)}`],
];

describe('a body of 16 MB', () => {
	it.each(hostile)('does not stop n8n if it is %s', async (_name, body) => {
		const headers = { 'content-type': 'application/json' };
		const begin = Date.now();
		const { status } = await send(open, { rawBody: body(), headers });
		expect([200, 400, 413, 422]).toContain(status);
		expect(Date.now() - begin).toBeLessThan(60_000);
	});

	it('is accepted if it is one long transcript', async () => {
		const body = { event: 'call_ended', callId: 7, formattedTranscript: filled('Agent: Hi\n', 14) };
		const { status, started } = await send(open, { body });
		expect({ status, started }).toEqual({ status: 200, started: true });
	});
});
