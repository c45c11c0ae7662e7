import { createHmac } from 'node:crypto';
import {
	harmlessHeaders,
	headerText,
} from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/headers.ts';
import { sameSecret } from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/sameSecret.ts';
import { readVerification } from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/settings.ts';
import { readTimestamp } from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/timestamp.ts';
import {
	judgeBody,
	judgeHeaders,
} from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/verify.ts';

const now = Date.parse('2026-03-02T12:00:00Z');
const seconds = String(now / 1000);
const body = Buffer.from('{ "callId" :  48213, "note": "ETA 14:30 \u2013 on time" }');

const credential = {
	method: 'hmac',
	secret: 'present-secret',
	previousSecret: '',
	headerName: 'X-Signature',
	algorithm: 'sha256',
	encoding: 'hex',
	prefix: 'sha256=',
	timestampHeader: 'X-Timestamp',
	toleranceSeconds: 300,
};

const sign = (secret: string, text = seconds, algorithm = 'sha256', encoding = 'hex') =>
	createHmac(algorithm, secret)
		.update(`${text}.`)
		.update(body)
		.digest(encoding as 'hex');

function judge(headers: Record<string, string>, changes: object = {}, raw = body) {
	const verification = readVerification({ ...credential, ...changes });
	if (typeof verification === 'string') return verification;
	return verification.method === 'hmac'
		? judgeBody(headers, raw, verification, now)
		: judgeHeaders(headers, verification);
}

const signed = (signature: string, time = seconds) => ({
	'x-signature': `sha256=${signature}`,
	'x-timestamp': time,
});

describe('a signed request', () => {
	it('is let in when time and body are signed with the secret', () => {
		expect(judge(signed(sign('present-secret')))).toBeUndefined();
	});

	it('is let in under SHA-512, base64 and no prefix, if that was agreed on', () => {
		const changes = { algorithm: 'sha512', encoding: 'base64', prefix: '' };
		const signature = sign('present-secret', seconds, 'sha512', 'base64');
		expect(judge({ 'x-signature': signature, 'x-timestamp': seconds }, changes)).toBeUndefined();
		const url = signature.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
		expect(judge({ 'x-signature': url, 'x-timestamp': seconds }, changes)).toBeUndefined();
	});

	it('is let in with the body alone signed when no timestamp header is agreed on', () => {
		const signature = createHmac('sha256', 'present-secret').update(body).digest('hex');
		const headers = { 'x-signature': `sha256=${signature}` };
		expect(judge(headers, { timestampHeader: '' })).toBeUndefined();
		expect(judge(headers)).toContain('no timestamp header');
	});

	it.each([
		['another secret', signed(sign('other-secret'))],
		['another body', signed(sign('present-secret')), Buffer.from('{}')],
		['another time', signed(sign('present-secret', String(now / 1000 - 1)))],
		['a digit more', signed(`${sign('present-secret')}0`)],
		['two digits more', signed(`${sign('present-secret')}00`)],
		['a digit less', signed(sign('present-secret').slice(0, -1))],
		['nothing in it', signed('')],
	])('is refused with %s', (_what, headers, raw = body) => {
		expect(judge(headers, {}, raw)).toContain('does not match');
	});

	it('is refused when nothing or something else stands before it, which the log says', () => {
		for (const prefix of ['', 'sha512=', 'SHA256=', 'v1=sha256=']) {
			const headers = { 'x-signature': prefix + sign('present-secret'), 'x-timestamp': seconds };
			expect(judge(headers)).toBe('its signature does not begin with "sha256="');
		}
	});

	it('is refused without a signature', () => {
		expect(judge({ 'x-timestamp': seconds })).toContain('no signature header');
	});

	it('is refused with padding bits that carry something else', () => {
		const changes = { encoding: 'base64', prefix: '' };
		const signature = sign('present-secret', seconds, 'sha256', 'base64');
		const last = signature.at(-2) ?? '';
		const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
		const twin = alphabet[alphabet.indexOf(last) ^ 1];
		const forged = `${signature.slice(0, -2)}${twin}=`;
		expect(judge({ 'x-signature': forged, 'x-timestamp': seconds }, changes)).toContain('match');
	});

	it('is let in up to the tolerance, before and after, and not beyond it', () => {
		const at = (offset: number) => {
			const time = String(now / 1000 + offset);
			return judge(signed(sign('present-secret', time), time));
		};
		expect([-300, 300].map(at)).toEqual([undefined, undefined]);
		expect(at(-301)).toContain('301 seconds ago');
		expect(at(301)).toContain('clock');
		expect(judge(signed(sign('present-secret', 'yesterday'), 'yesterday'))).toContain('no time');
	});

	it('is let in with the old and with the new secret while the secret is replaced', () => {
		const changes = { previousSecret: 'former-secret' };
		expect(judge(signed(sign('former-secret')), changes)).toBeUndefined();
		expect(judge(signed(sign('present-secret')), changes)).toBeUndefined();
		expect(judge(signed(sign('')), changes)).toContain('does not match');
	});

	it('is let in when one of several signatures in its header is right', () => {
		const both = `sha256=${sign('other-secret')}, sha256=${sign('present-secret')}`;
		expect(judge({ 'x-signature': both, 'x-timestamp': seconds })).toBeUndefined();
	});
});

describe('a secret in a header', () => {
	const changes = { method: 'header', headerName: 'X-Webhook-Secret', previousSecret: 'former' };
	it('is let in with the present and the former secret only', () => {
		const given = (secret: string) => judge({ 'x-webhook-secret': secret }, changes);
		expect(['present-secret', 'former'].map(given)).toEqual([undefined, undefined]);
		expect(['', 'present', 'present-secret1', 'FORMER'].map(given)).not.toContain(undefined);
		expect(judge({}, changes)).toContain('no header');
	});
});

describe('a user and a password', () => {
	const changes = { method: 'basic', user: 'dispatch', password: 'p:ss', previousSecret: 'old' };
	const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
	it('are let in when both are right', () => {
		const given = (text: string) => judge({ authorization: text }, changes);
		expect(['dispatch:p:ss', 'dispatch:old'].map(basic).map(given)).toEqual([undefined, undefined]);
		const wrong = ['dispatch:', 'dispatch:p', ':p:ss', 'other:p:ss', 'dispatch'].map(basic);
		expect([...wrong, 'Bearer x', 'Basic', '', 'Basic ====='].map(given)).not.toContain(undefined);
	});
});

describe('a credential that is not complete', () => {
	it.each([
		[{ secret: '' }, 'no secret'],
		[{ secret: undefined, previousSecret: 'former' }, 'no secret'],
		[{ method: 'header', secret: '' }, 'no secret'],
		[{ method: 'basic', user: '', password: 'x' }, 'no user'],
		[{ method: 'basic', user: 'x', password: '' }, 'no password'],
		[{ headerName: ' ' }, 'no header'],
		[{ method: 'open' }, 'unknown method'],
	])('lets nobody in: %j', (changes, reason) => {
		expect(readVerification({ ...credential, ...changes })).toContain(reason);
	});

	it('lets nobody in when there is none', () => {
		expect(typeof readVerification(undefined)).toBe('string');
	});

	it('falls back to five minutes when the tolerance makes no sense', () => {
		for (const toleranceSeconds of [0, -1, 'x', Number.NaN, null]) {
			expect(readVerification({ ...credential, toleranceSeconds })).toMatchObject({
				toleranceMs: 300_000,
			});
		}
	});
});

describe('parts of the verification', () => {
	it('never takes an empty secret for the right one', () => {
		expect(sameSecret('', '')).toBe(false);
		expect(sameSecret('a', 'a')).toBe(true);
	});

	it('reads seconds, milliseconds and ISO 8601', () => {
		expect([seconds, String(now), '2026-03-02T12:00:00Z'].map(readTimestamp)).toEqual([
			now,
			now,
			now,
		]);
		expect(['', '-1', '1e9', '2026-03-02', 'now', '0x10'].map(readTimestamp)).toEqual(
			Array(6).fill(undefined),
		);
	});

	it('finds no header on the prototype', () => {
		expect(headerText({}, 'constructor')).toBeUndefined();
		expect(headerText({ 'x-a': [' 1', '2'] }, 'X-A')).toBe('1, 2');
	});

	it('shows only headers that let nobody in', () => {
		const headers = {
			...{ 'content-type': 'application/json', 'user-agent': 'x', 'x-event-id': '7' },
			...{ authorization: 'a', cookie: 'b', 'x-signature': 'c', 'proxy-authorization': 'd' },
			...{ 'x-api-key': 'e', 'x-hook': 'f', 'x-auth-token': 'g' },
		};
		expect(Object.keys(harmlessHeaders(headers, ['X-Hook'])).sort()).toEqual([
			'content-type',
			'user-agent',
			'x-event-id',
		]);
	});
});
