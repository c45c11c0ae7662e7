import {
	readVerifier,
	verificationProperties,
} from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/verifyRequest.ts';
import {
	hasMatch,
	headerText,
	checkTimestamp,
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

describe('a previous secret', () => {
	it('works only with the method it was set for', () => {
		const previous = {
			...{ previousSecret: 'former', previousHeaderSecret: 'former', previousToken: 'former' },
		};
		const own: Record<string, string> = {
			...{ hmac: 'previousSecret', header: 'previousHeaderSecret', bearer: 'previousToken' },
		};
		const present = {
			...{ secret: 'now', token: 'now', headerName: 'X-A' },
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
		expect(values).toEqual(['bearer', 'header', 'hmac', 'standard']);
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

	it('read Unix seconds, Unix milliseconds and ISO 8601, in UTC if it names no zone', () => {
		const times = [seconds, String(now), '2026-03-02T12:00:00Z', '2026-03-02T13:00:00+01:00'];
		const check = (text: string) => checkTimestamp(text, now);
		expect([...times, '2026-03-02T12:00:00.000000'].map(check)).toEqual(Array(5).fill(undefined));
		const wrong = ['', '-1', '1e9', 'now', '0x10', `${seconds}${' '.repeat(50)}`];
		expect(wrong.map(check)).toEqual(Array(6).fill('its timestamp is not a time'));
		expect(check('2026-03-02')).toContain('seconds old');
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
