import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { readVerifier } from '../../nodes/CarrierLoadCommunicationsTrigger/verify/methods.ts';
import type { Verifier } from '../../nodes/CarrierLoadCommunicationsTrigger/verify/method.ts';

/** Forgeries per method. */
const RUNS = Number(process.env['EVENT_RUNS'] ?? 100_000);
const seed = 20_260_302;
const nowMs = Date.parse('2026-03-02T12:00:00Z');
const seconds = String(nowMs / 1000);

interface Sent {
	headers: Record<string, string>;
	body: Buffer;
}
type Send = (body: Buffer) => Sent;

function verifierOf(credential: object): Verifier {
	const verifier = readVerifier(credential);
	if (typeof verifier === 'string') throw new Error(verifier);
	return verifier;
}

const accepts = ({ checkHeaders, checkBody }: Verifier, { headers, body }: Sent): boolean =>
	(checkHeaders?.(headers) ?? checkBody?.(headers, body, nowMs)) === undefined;

const secret = 'the secret of the property test';
const key = Buffer.from('a key of 24 bytes or more');
const hex = (text: string, body: Buffer) =>
	createHmac('sha256', secret).update(text).update(body).digest('hex');

const hmac = { method: 'hmac', secret, headerName: 'X-Signature', prefix: 'sha256=' };
const methods: Array<[name: string, credential: object, send: Send]> = [
	[
		'hmac',
		{ ...hmac, timestampHeader: 'X-Timestamp' },
		(body) => {
			const signature = `sha256=${hex(`${seconds}.`, body)}`;
			return { body, headers: { 'x-timestamp': seconds, 'x-signature': signature } };
		},
	],
	[
		'hmac with key and value',
		{ ...hmac, signatureFormat: 'keyValue' },
		(body) => ({ body, headers: { 'x-signature': `t=${seconds},v1=${hex(`${seconds}.`, body)}` } }),
	],
	[
		'standard',
		{ method: 'standard', signingSecret: `whsec_${key.toString('base64')}` },
		(body) => {
			const signature = createHmac('sha256', key)
				.update(`msg_1.${seconds}.`)
				.update(body)
				.digest('base64');
			const headers = {
				...{ 'webhook-id': 'msg_1', 'webhook-timestamp': seconds },
				'webhook-signature': `v1,${signature}`,
			};
			return { body, headers };
		},
	],
	[
		'bearer',
		{ method: 'bearer', token: secret.replaceAll(' ', '-') },
		(body) => ({ body, headers: { authorization: `Bearer ${secret.replaceAll(' ', '-')}` } }),
	],
	[
		'header',
		{ method: 'header', secret, headerName: 'X-Secret' },
		(body) => ({ body, headers: { 'x-secret': secret } }),
	],
	[
		'basic',
		{ method: 'basic', user: 'dispatch', password: secret },
		(body) => {
			const encoded = Buffer.from(`dispatch:${secret}`).toString('base64');
			return { body, headers: { authorization: `Basic ${encoded}` } };
		},
	],
];

/** One way to corrupt a request: which header or the body, where, and how. */
const spoil = fc.record({
	part: fc.nat(1000),
	place: fc.nat(10_000),
	way: fc.constantFrom('change', 'insert', 'cut', 'drop', 'empty', 'repeat'),
	character: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
});
type Spoil = typeof spoil extends fc.Arbitrary<infer Value> ? Value : never;

function spoilText(text: string, { place, way, character }: Spoil): string | undefined {
	const at = place % (text.length + 1);
	if (way === 'change') return text.slice(0, at) + character + text.slice(at + 1);
	if (way === 'insert') return text.slice(0, at) + character + text.slice(at);
	if (way === 'cut') return text.slice(0, at);
	if (way === 'empty') return '';
	return way === 'repeat' ? text + text : undefined;
}

/** The request with one part changed. The body is changed only if it is signed. */
function spoiled({ headers, body }: Sent, how: Spoil, isSigned: boolean): Sent {
	const names = Object.keys(headers);
	const parts = names.length + (isSigned ? 1 : 0);
	const name = names[how.part % parts];
	if (name === undefined) {
		const text = spoilText(body.toString('latin1'), how) ?? '';
		return { headers, body: Buffer.from(text, 'latin1') };
	}
	const value = spoilText(headers[name] ?? '', how);
	const others = Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
	return { body, headers: value === undefined ? others : { ...others, [name]: value } };
}

/** What HTTP and the method treat as equal: spaces, the case of a scheme or a hexadecimal digit. */
function meaningOf({ headers, body }: Sent, name: string): string {
	const values = Object.entries(headers).map(([header, value]) => {
		const text = value.trim();
		if (name === 'basic') return Buffer.from(text.slice(6), 'base64').toString('latin1');
		return [header, name.startsWith('hmac') ? text.toLowerCase() : text.replace(/^bearer/i, '')];
	});
	return JSON.stringify([values.sort(), body.toString('latin1')]);
}

/** Additional text next to a signature doesn't make it wrong: what is signed is the same. */
function hasRightSignature(forged: Sent, sent: Sent, name: string): boolean {
	const header = name === 'standard' ? 'webhook-signature' : 'x-signature';
	const right = sent.headers[header] ?? '';
	const text = forged.headers[header] ?? '';
	const rest = (each: Sent) => JSON.stringify([{ ...each.headers, [header]: '' }, each.body]);
	if (rest(forged) !== rest(sent)) return false;
	if (name === 'standard') return text.split(' ').includes(right);
	const parts = text.toLowerCase().split(',');
	return right.split(',').every((part) => parts.map((each) => each.trim()).includes(part));
}

describe.each(methods)('the method %s', (name, credential, send) => {
	const verifier = verifierOf(credential);
	const isSigned = verifier.checkBody !== undefined;
	const body = Buffer.from('{"event":"call_ended","callId":4711}');

	it('accepts what the sender sends', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) =>
				accepts(verifier, send(Buffer.from(bytes))),
			),
			{ seed, numRuns: 1000 },
		);
	});

	it('accepts none of the forgeries', () => {
		let judged = 0;
		const sent = send(body);
		const meaning = meaningOf(sent, name);
		fc.assert(
			fc.property(spoil, (how) => {
				const forged = spoiled(sent, how, isSigned);
				if (meaningOf(forged, name) === meaning) return;
				if (isSigned && hasRightSignature(forged, sent, name)) return;
				judged += 1;
				if (accepts(verifier, forged)) throw new Error(JSON.stringify(forged));
			}),
			{ seed, numRuns: RUNS },
		);
		expect(judged).toBeGreaterThan(RUNS * 0.7);
	});
});
