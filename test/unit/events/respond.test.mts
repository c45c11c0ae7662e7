import type { IWebhookFunctions } from 'n8n-workflow';
import { reject } from '../../../nodes/CarrierLoadCommunicationsTrigger/receive.ts';

/** A request to the trigger, and what it is answered. */
function request() {
	const answered = { status: 0, headers: {}, body: undefined as unknown, log: '' };
	const response = {
		status(code: number) {
			answered.status = code;
			return response;
		},
		set(headers: object) {
			answered.headers = headers;
			return response;
		},
		json: (body: unknown) => void (answered.body = body),
	};
	const context = {
		getResponseObject: () => response,
		getNode: () => ({ name: 'Events' }),
		getMode: () => 'webhook',
		getWorkflow: () => ({ id: 'w' }),
		logger: { warn: (line: string) => void (answered.log = line) },
	} as unknown as IWebhookFunctions;
	return { context, answered };
}

describe('a sender that is not accepted', () => {
	it('learns that it is not authorized, and nothing else', () => {
		const { context, answered } = request();
		const reason = 'its password is wrong';
		const result = reject(context, { status: 401, reason });
		expect(result).toEqual({ noWebhookResponse: true });
		expect(answered).toMatchObject({ status: 401, body: { message: 'Not authorized' } });
		expect(answered.headers).toStrictEqual({});
		expect(answered.log).toContain(reason);
	});
});

describe('a request that is rejected', () => {
	it.each([
		[413, { Connection: 'close' }],
		[503, { 'Retry-After': '10' }],
		[400, {}],
	] as const)('with %i says what the sender must know', (status, headers) => {
		const { context, answered } = request();
		reject(context, { status, reason: 'No' });
		expect(answered).toMatchObject({ status, body: { message: 'No' } });
		expect(answered.headers).toEqual(headers);
	});
});
