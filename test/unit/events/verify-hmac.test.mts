import { createHmac } from 'node:crypto';
import { body, judge, now, seconds } from '../support/events/judge.mts';

const credential = {
	...{ method: 'hmac', secret: 'present-secret', headerName: 'X-Signature' },
	...{ algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=', timestampHeader: 'X-Timestamp' },
};

const hmac = (secret: string, text: string, algorithm = 'sha256', encoding = 'hex') =>
	createHmac(algorithm, secret)
		.update(text)
		.update(body)
		.digest(encoding as 'hex');
const sign = (secret: string, time = seconds) => hmac(secret, `${time}.`);
const headersWith = (signature: string, time = seconds) => ({
	...{ 'x-signature': `sha256=${signature}`, 'x-timestamp': time },
});
const check = (headers: Record<string, string>, changes: object = {}, raw = body) =>
	judge({ ...credential, ...changes }, headers, raw);

describe('a signed request', () => {
	it('is accepted if timestamp and body are signed with the secret', () => {
		expect(check(headersWith(sign('present-secret')))).toBeUndefined();
		expect(check(headersWith(sign('present-secret').toUpperCase()))).toBeUndefined();
	});

	it('is accepted with SHA-512, Base64 and no prefix, if the credential has these settings', () => {
		const changes = { algorithm: 'sha512', encoding: 'base64', prefix: '' };
		const signature = hmac('present-secret', `${seconds}.`, 'sha512', 'base64');
		const url = signature.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
		for (const text of [signature, url]) {
			expect(check({ 'x-signature': text, 'x-timestamp': seconds }, changes)).toBeUndefined();
		}
	});

	it('is accepted with only the body signed if there is no timestamp header', () => {
		const headers = { 'x-signature': `sha256=${hmac('present-secret', '')}` };
		expect(check(headers, { timestampHeader: '' })).toBeUndefined();
		expect(check(headers)).toContain('no timestamp');
	});

	it.each([
		['another secret', headersWith(sign('other-secret'))],
		['another body', headersWith(sign('present-secret')), Buffer.from('{}')],
		['another time', headersWith(sign('present-secret', String(now / 1000 - 1)))],
		['a digit more', headersWith(`${sign('present-secret')}0`)],
		['two digits more', headersWith(`${sign('present-secret')}00`)],
		['a digit less', headersWith(sign('present-secret').slice(0, -1))],
		['an empty signature', headersWith('')],
	])('is rejected with %s', (_what, headers, raw = body) => {
		expect(check(headers, {}, raw)).toContain('does not match');
	});

	it.each(['', 'sha512=', 'SHA256=', 'v1=sha256='])(
		'is rejected with "%s" before the signature',
		(prefix) => {
			const headers = { 'x-signature': prefix + sign('present-secret'), 'x-timestamp': seconds };
			expect(check(headers)).toBe('its signature does not start with "sha256="');
		},
	);

	it('is rejected without a signature', () => {
		expect(check({ 'x-timestamp': seconds })).toContain('no signature header');
	});

	it('is accepted within the tolerance, early or late, and not beyond', () => {
		const at = (offset: number) => {
			const time = String(now / 1000 + offset);
			return check(headersWith(sign('present-secret', time), time));
		};
		expect([-300, 300].map(at)).toEqual([undefined, undefined]);
		expect(at(-301)).toContain('301 seconds old');
		expect(at(301)).toContain('301 seconds in the future');
		expect(check(headersWith(sign('present-secret', 'today'), 'today'))).toContain('not a time');
	});

	it.each([0, -1, 'x', Number.NaN, null])(
		'has a tolerance of five minutes if the credential says %s',
		(toleranceSeconds) => {
			const at = (offset: number) => {
				const time = String(now / 1000 - offset);
				return check(headersWith(sign('present-secret', time), time), { toleranceSeconds });
			};
			expect([at(300), at(301)]).toEqual([undefined, expect.any(String)]);
		},
	);

	it('is accepted with the old and the new secret during rotation', () => {
		const changes = { previousSecret: 'former-secret' };
		expect(check(headersWith(sign('former-secret')), changes)).toBeUndefined();
		expect(check(headersWith(sign('present-secret')), changes)).toBeUndefined();
		expect(check(headersWith(sign('')), changes)).toContain('does not match');
	});

	it('is accepted if one of several signatures is right, with or without spaces between them', () => {
		const others = Array.from({ length: 7 }, () => `sha256=${sign('other')}`);
		const given = (...all: string[]) =>
			['  ,  ', ','].map((comma) =>
				check({ 'x-signature': all.join(comma), 'x-timestamp': seconds }),
			);
		const right = `sha256=${sign('present-secret')}`;
		expect(given(...others, right)).toEqual([undefined, undefined]);
		expect(given(...others)).toEqual([expect.any(String), expect.any(String)]);
	});
});

describe('timestamp and signature in one header', () => {
	const changes = { signatureFormat: 'keyValue', headerName: 'X-Hook' };
	const given = (text: string, more: object = {}) =>
		check({ 'x-hook': text }, { ...changes, ...more });

	it('are accepted, even with several signatures', () => {
		expect(given(`t=${seconds},v1=${sign('present-secret')}`)).toBeUndefined();
		expect(
			given(`t=${seconds}, v1=${sign('other')}, v0=abc, v1=${sign('present-secret')}`),
		).toBeUndefined();
	});

	it('are rejected if timestamp, secret or version differs', () => {
		expect(given(`t=${now / 1000 + 1},v1=${sign('present-secret')}`)).toContain('not match');
		expect(given(`t=${seconds},v1=${sign('other')}`)).toContain('not match');
		expect(given(`t=${seconds},v0=${sign('present-secret')}`)).toContain('no v1= signature');
		expect(given(`v1=${sign('present-secret')}`)).toContain('no timestamp');
		const old = String(now / 1000 - 301);
		expect(given(`t=${old},v1=${sign('present-secret', old)}`)).toContain('seconds old');
	});
});

describe('the signed text', () => {
	const versioned = { prefix: 'v0=', signedText: 'v0:{timestamp}:{body}' };
	const withId = { idHeader: 'X-ID', signedText: '{id}.{timestamp}.{body}' };

	it('can be a template', () => {
		const signature = hmac('present-secret', `v0:${seconds}:`);
		const headers = { 'x-signature': `v0=${signature}`, 'x-timestamp': seconds };
		expect(check(headers, versioned)).toBeUndefined();
		const other = { 'x-signature': `v0=${sign('present-secret')}`, 'x-timestamp': seconds };
		expect(check(other, versioned)).toContain('does not match');
		// The name of a header that it doesn't cover doesn't matter.
		expect(check(headers, { ...versioned, idHeader: 'no header name' })).toBeUndefined();
	});

	it('can cover the event ID', () => {
		const headers = headersWith(hmac('present-secret', `evt_1.${seconds}.`));
		expect(check({ ...headers, 'x-id': 'evt_1' }, withId)).toBeUndefined();
		expect(check({ ...headers, 'x-id': 'evt_2' }, withId)).toContain('does not match');
		expect(check(headers, withId)).toContain('no ID header "x-id"');
	});

	it.each([
		[{ signedText: '{timestamp}' }, 'does not contain {body}'],
		[{ signedText: '{id}.{body}' }, 'no ID header'],
		[{ signedText: '{timestamp}.{body}', timestampHeader: '' }, 'no timestamp header'],
		[{ secret: '' }, 'no secret'],
		[{ secret: undefined, previousSecret: 'former' }, 'no secret'],
	])('must be complete, like the rest of the credential: %j', (changes, problem) => {
		expect(check(headersWith(sign('')), changes)).toContain(problem);
	});
});
