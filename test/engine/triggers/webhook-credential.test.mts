import { randomUUID } from 'node:crypto';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { event, senderTo } from '../support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

const send = senderTo(() => engine);
const type = 'carrierLoadCommunicationsWebhookApi';
const LONG = 'agreed-with-the-operator';
const test = async (data: object) => await engine.testCredential(type, data as never);
/** Bytes of UTF-8 as Node.js sends and receives them in a header. */
const inHeader = (text: string) => Buffer.from(text).toString('latin1');

/** Sends an event with these headers to a trigger with the credential. */
async function statusOf(data: object, headers: Record<string, string>) {
	const credentials = { [type]: data as never };
	const request = { body: event, headers, credentials, node: { id: randomUUID() } };
	return (await send({}, request)).status;
}

describe('the test of the webhook credential says what no sender can match', () => {
	it.each([
		[
			'a token with a line break',
			{ method: 'bearer', token: `${LONG}\nsecond-line` },
			{ authorization: `Bearer ${LONG}second-line` },
			'the token contains a space, a line break',
		],
		[
			'a token that was pasted with its scheme',
			{ method: 'bearer', token: `Bearer ${LONG}` },
			{ authorization: `Bearer ${LONG}` },
			'the token contains a space, a line break',
		],
		[
			'a token with a letter that headers cannot carry',
			{ method: 'bearer', token: `${LONG}-ö` },
			{ authorization: inHeader(`Bearer ${LONG}-ö`) },
			'the token contains a space, a line break or a letter',
		],
		[
			'a header secret with a letter that headers cannot carry',
			{ method: 'header', secret: `${LONG}-ö` },
			{ 'x-webhook-secret': inHeader(`${LONG}-ö`) },
			'the secret contains a line break or a letter',
		],
		[
			'a header secret with a line break',
			{ method: 'header', secret: `${LONG}\r\nsecond-line` },
			{ 'x-webhook-secret': `${LONG} second-line` },
			'the secret contains a line break',
		],
		[
			'a header name with the secret after a colon',
			{ method: 'header', secret: LONG, headerName: `X-Our-Secret: ${LONG}` },
			{ 'x-our-secret': LONG },
			'the header name contains a space, a colon',
		],
		[
			'a signature header with a space',
			{ method: 'hmac', secret: LONG, headerName: 'X Signature' },
			{ 'x-signature': 'sha256=00' },
			'the header name contains a space, a colon',
		],
		[
			'a timestamp header with its value',
			{ method: 'hmac', secret: LONG, timestampHeader: 'X-Timestamp: 17' },
			{ 'x-signature': 'sha256=00' },
			'the timestamp header contains a space, a colon',
		],
	])('%s', async (_what, data, headers, message) => {
		expect(await statusOf(data, headers)).toBe(401);
		const result = await test(data);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
		expect(result.message).not.toContain(LONG);
	});

	it('but not a previous token with a line break, next to which the current one counts', async () => {
		const data = { method: 'bearer', token: LONG, previousToken: `${LONG}\nold` };
		expect(await statusOf(data, { authorization: `Bearer ${LONG}` })).toBe(200);
		expect((await test(data)).status).toBe('OK');
	});
});

describe('a secret with a space or line break at its end', () => {
	it.each([
		['bearer', { token: `${LONG}\n` }, { authorization: `Bearer ${LONG}` }],
		['header', { secret: ` ${LONG}` }, { 'x-webhook-secret': LONG }],
	])('%s: matches without it', async (method, fields, headers) => {
		const data = { method, ...fields };
		expect(await statusOf(data, headers)).toBe(200);
		expect((await test(data)).status).toBe('OK');
	});
});

describe('the test of the webhook credential accepts', () => {
	it('a header secret of several words', async () => {
		const data = {
			method: 'header',
			secret: 'correct horse battery',
			headerName: 'X-Our.Secret_1',
		};
		expect(await statusOf(data, { 'x-our.secret_1': data.secret })).toBe(200);
		expect((await test(data)).status).toBe('OK');
	});
});
