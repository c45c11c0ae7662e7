import {
	readVerifier,
	verificationProperties,
} from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/methods.ts';
import {
	hasMatch,
	headerText,
	readTimestamp,
} from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/method.ts';
import { judge, now, seconds } from '../support/events/judge.mts';

describe('a bearer token', () => {
	const credential = { method: 'bearer', token: ' present-token\n', previousToken: 'former' };
	const given = (authorization: string) => judge(credential, { authorization });
	it('is accepted only if it is the current or the previous one', () => {
		expect(['Bearer present-token', 'bearer  former'].map(given)).toEqual([undefined, undefined]);
		const wrong = ['Bearer', 'Bearer ', 'Bearer x', 'Basic present-token', 'present-token', ''];
		expect(wrong.map(given)).not.toContain(undefined);
		expect(judge(credential, {})).toContain('no bearer token');
		expect(judge({ method: 'bearer', token: ' ' }, {})).toContain('no token');
	});
});

describe('a secret in a header', () => {
	const credential = {
		...{ method: 'header', secret: 'present-secret ', headerName: 'X-Webhook-Secret' },
		previousHeaderSecret: 'former',
	};
	it('is accepted only if it is the current or the previous one', () => {
		const given = (secret: string) => judge(credential, { 'x-webhook-secret': secret });
		expect(['present-secret', 'former'].map(given)).toEqual([undefined, undefined]);
		expect(['', 'present', 'present-secret1', 'FORMER'].map(given)).not.toContain(undefined);
		expect(judge(credential, {})).toContain('no header');
		expect(judge({ ...credential, headerName: '' }, {})).toContain('no header "x-webhook-secret"');
		expect(judge({ ...credential, secret: '' }, {})).toContain('no secret');
	});
});

describe('a user and password', () => {
	const credential = {
		...{ method: 'basic', user: 'dispatch', password: 'p:ss', previousPassword: 'old' },
	};
	const encode = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
	it('are accepted if both are right', () => {
		const given = (authorization: string) => judge(credential, { authorization });
		expect(['dispatch:p:ss', 'dispatch:old'].map(encode).map(given)).toEqual([
			undefined,
			undefined,
		]);
		const wrong = ['dispatch:', 'dispatch:p', ':p:ss', 'other:p:ss', 'dispatch'].map(encode);
		expect([...wrong, 'Bearer x', 'Basic', '', 'Basic ====='].map(given)).not.toContain(undefined);
		expect(judge({ ...credential, user: '' }, {})).toContain('no user');
		expect(judge({ ...credential, password: '' }, {})).toContain('no password');
	});
});

describe('a previous secret', () => {
	it('works only with the method it was set for', () => {
		const previous = {
			...{ previousSecret: 'former', previousHeaderSecret: 'former', previousToken: 'former' },
			previousPassword: 'former',
		};
		const own: Record<string, string> = {
			...{ hmac: 'previousSecret', header: 'previousHeaderSecret', bearer: 'previousToken' },
			basic: 'previousPassword',
		};
		const present = {
			...{ secret: 'now', token: 'now', user: 'dispatch', password: 'now', headerName: 'X-A' },
		};
		for (const [method, name] of Object.entries(own)) {
			const without = { ...previous, [name]: '' };
			expect(readVerifier({ ...present, ...without, method })).toMatchObject({ secrets: ['now'] });
			expect(readVerifier({ ...present, [name]: 'former', method })).toMatchObject({
				secrets: ['now', 'former'],
			});
		}
	});
});

describe('the credential', () => {
	it.each([undefined, null, 'x', {}, { method: 'open' }, { method: '__proto__' }])(
		'rejects every request if it is %j',
		(credential) => {
			expect(typeof readVerifier(credential)).toBe('string');
		},
	);

	it('shows each field for one method only, and every method has a secret', () => {
		const [method, ...fields] = verificationProperties;
		const values = method?.options?.map((option) => ('value' in option ? option.value : ''));
		expect(values).toEqual(['basic', 'bearer', 'header', 'hmac', 'standard']);
		for (const { displayOptions } of fields)
			expect(displayOptions?.show?.['method']).toHaveLength(1);
		for (const value of values ?? []) {
			const own = fields.filter(({ displayOptions }) =>
				displayOptions?.show?.['method']?.includes(value),
			);
			expect(own.filter(({ typeOptions }) => typeOptions?.password)).toHaveLength(2);
		}
	});
});

describe('the parts of the verification', () => {
	it('never accept an empty secret', () => {
		expect(hasMatch([''], [''])).toBe(false);
		expect(hasMatch(['b', 'a'], ['a'])).toBe(true);
	});

	it('read Unix seconds, Unix milliseconds and ISO 8601', () => {
		expect([seconds, String(now), '2026-03-02T12:00:00Z'].map(readTimestamp)).toEqual([
			now,
			now,
			now,
		]);
		expect(readTimestamp('99999999999')).toBe(99_999_999_999_000);
		expect(readTimestamp('100000000000')).toBe(100_000_000_000);
		expect(['', '-1', '1e9', '2026-03-02', 'now', '0x10'].map(readTimestamp)).toEqual(
			Array(6).fill(undefined),
		);
	});

	it('read a time without a zone as UTC, wherever n8n is', () => {
		const { TZ } = process.env;
		process.env['TZ'] = 'America/Chicago';
		try {
			for (const text of ['12:00:00', '12:00:00.000000', '13:00:00+01:00', '06:00:00-0600']) {
				expect(readTimestamp(`2026-03-02T${text}`)).toBe(now);
			}
		} finally {
			if (TZ === undefined) delete process.env['TZ'];
			else process.env['TZ'] = TZ;
		}
	});

	it("ignore the prototype's properties when reading headers", () => {
		expect(headerText({}, 'constructor')).toBeUndefined();
		expect(headerText({ 'x-a': [' 1', '2'] }, 'X-A')).toBe('1, 2');
	});
});

it('no two fields of the credential have one name and different defaults: n8n shows the last', () => {
	const defaults = new Map(verificationProperties.map((field) => [field.name, field.default]));
	for (const field of verificationProperties) {
		expect([field.name, field.default]).toEqual([field.name, defaults.get(field.name)]);
	}
});
