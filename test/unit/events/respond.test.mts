import type { IWebhookFunctions } from 'n8n-workflow';
import {
	answerOtherMethod,
	reject,
} from '../../../nodes/CarrierLoadCommunicationsTrigger/respond.ts';

/** A request to the trigger, and what it is answered. */
function request(method = 'POST') {
	const answered = { status: 0, headers: {}, body: undefined as unknown, ended: false, log: '' };
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
		end: () => void (answered.ended = true),
	};
	const context = {
		getResponseObject: () => response,
		getRequestObject: () => ({ method }),
		getNode: () => ({ name: 'Events' }),
		getMode: () => 'webhook',
		getWorkflow: () => ({ id: 'w' }),
		logger: { warn: (line: string) => void (answered.log = line) },
	} as unknown as IWebhookFunctions;
	return { context, answered };
}

describe('a sender that is not accepted', () => {
	it('learns how to authenticate, and nothing else', () => {
		const { context, answered } = request();
		const reason = 'its password is wrong';
		const result = reject(context, { status: 401, reason, challenge: 'Basic realm="n8n"' });
		expect(result).toEqual({ noWebhookResponse: true });
		expect(answered).toMatchObject({ status: 401, body: { message: 'Not authorized' } });
		expect(answered.headers).toEqual({ 'WWW-Authenticate': 'Basic realm="n8n"' });
		expect(answered.log).toContain(reason);
	});

	it('gets no such header where there is no such way', () => {
		const { context, answered } = request();
		reject(context, { status: 401, reason: 'its signature does not match' });
		expect(answered.headers).toStrictEqual({});
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

describe('another method than POST', () => {
	it.each([
		['GET', true, 200, {}],
		['HEAD', true, 200, {}],
		['PUT', true, 405, { Allow: 'POST, GET, HEAD' }],
		['GET', false, 405, { Allow: 'POST' }],
		['HEAD', false, 405, { Allow: 'POST' }],
	])('%s, health checks %s: status %i', (method, healthCheck, status, headers) => {
		const { context, answered } = request(method);
		answerOtherMethod(context, healthCheck);
		expect(answered).toMatchObject({ status, headers, ended: method === 'HEAD' });
		expect(answered.body === undefined).toBe(method === 'HEAD');
	});
});
