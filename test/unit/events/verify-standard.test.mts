import { Webhook } from 'standardwebhooks';
import { body, judge, now } from '../support/events/judge.mts';

// From the specification's own reference implementation.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const published = {
	'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
	'webhook-timestamp': '1614265330',
	'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const publishedBody = Buffer.from('{"test": 2432232314}');
const publishedAt = 1_614_265_330_000;

const check = (headers: object, changes: object = {}, raw = publishedBody, at = publishedAt) =>
	judge(
		{ method: 'standard', signingSecret: secret, ...changes },
		headers as Record<string, string>,
		raw,
		at,
	);

/** Headers as the library signs them. */
function sent(key = secret, raw = body, id = 'msg_1', at = now) {
	const signature = new Webhook(key).sign(id, new Date(at), raw.toString());
	const timestamp = String(Math.floor(at / 1000));
	return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

describe('a Standard Webhooks request', () => {
	it('is accepted with the published signature', () => {
		expect(check(published)).toBeUndefined();
		expect(check(published, { signingSecret: secret.replace('whsec_', '') })).toBeUndefined();
		expect(check(published, { signingSecret: ` ${secret}\n` })).toBeUndefined();
	});

	it("is accepted with Svix's header names", () => {
		const names = Object.entries(published).map(([name, value]) => [
			name.replace('webhook-', 'svix-'),
			value,
		]);
		expect(check(Object.fromEntries(names))).toBeUndefined();
		expect(check({ ...Object.fromEntries(names), 'svix-id': 'msg_2' })).toContain('not match');
	});

	it('is accepted as the library signs it, and what the library rejects is rejected', () => {
		const cases = [
			sent(),
			sent('whsec_' + Buffer.from('another secret of 24 bytes').toString('base64')),
			sent(secret, Buffer.from('{}')),
			{ ...sent(), 'webhook-id': 'msg_2' },
			{ ...sent(), 'webhook-timestamp': String(now / 1000 + 1) },
			{ ...sent(), 'webhook-signature': 'v1,' },
			{ ...sent(), 'webhook-signature': sent()['webhook-signature'].replace('v1,', 'v2,') },
			{ ...sent(), 'webhook-signature': `v1,AAAA v2,x ${sent()['webhook-signature']}` },
			{ ...sent(), 'webhook-signature': `${sent()['webhook-signature']} v1,AAAA` },
			sent(secret, body, 'msg_1', now - 300_000),
			sent(secret, body, 'msg_1', now - 301_000),
			sent(secret, body, 'msg_1', now + 301_000),
			{ ...sent(), 'webhook-timestamp': 'today' },
			{},
		];
		jest.useFakeTimers({ now });
		const verdicts = cases.map((headers) => {
			try {
				new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
				return 'accepted';
			} catch {
				return 'rejected';
			}
		});
		jest.useRealTimers();
		const ours = cases.map((headers) =>
			check(headers, {}, body, now) === undefined ? 'accepted' : 'rejected',
		);
		expect(ours).toEqual(verdicts);
		expect(ours.filter((verdict) => verdict === 'accepted')).toHaveLength(4);
	});

	it('is accepted if one of two header lines has the signature', () => {
		const signature = published['webhook-signature'];
		for (const lines of [
			['v1,AAAA', signature],
			[signature, 'v1,AAAA'],
		]) {
			expect(check({ ...published, 'webhook-signature': lines })).toBeUndefined();
		}
		expect(check({ ...published, 'webhook-signature': ['v1,AAAA', 'v1,BBBB'] })).toBeDefined();
	});

	it('is accepted with the old and the new secret during rotation', () => {
		const former = `whsec_${Buffer.from('the secret before this one').toString('base64')}`;
		const changes = { previousSigningSecret: former };
		expect(check(sent(former), changes, body, now)).toBeUndefined();
		expect(check(sent(), changes, body, now)).toBeUndefined();
		expect(check(sent(former), {}, body, now)).toContain('does not match');
	});

	it.each([
		[{ signingSecret: '' }, 'no signing secret'],
		[{ signingSecret: 'whsec_' }, 'not whsec_'],
		[{ signingSecret: 'not Base64!' }, 'not whsec_'],
		[{ previousSigningSecret: '???' }, 'not whsec_'],
	])('is rejected if the credential is not complete: %j', (changes, problem) => {
		expect(check(published, changes)).toContain(problem);
	});
});
