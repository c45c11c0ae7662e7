import type { Fault } from '../../../sandbox/index.mts';
import { shortBackoffs, skipPauses } from '../../support/pauses.mts';
import { driver, statusFault } from '../support/calls/dispatch.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';

const dispatch = useDispatch();
afterEach(() => jest.restoreAllMocks());

const after = { afterPlacing: true };

/** A response to any of the three kinds of call, after the call was placed. */
function answered(more: object): Fault {
	return { kind: 'body', body: { success: true, status: 'success', ...more }, ...after };
}

const lost: Array<[string, Fault]> = [
	['the connection is reset', { kind: 'reset', when: 'after' }],
	['the service answers 500', statusFault(500, after)],
	['the service answers 502 with a web page', statusFault(502, { ...after, body: 'html' })],
	['the service answers 503', statusFault(503, after)],
	['the service answers 504 with nothing', statusFault(504, { ...after, body: 'empty' })],
	['the service answers 408', statusFault(408, after)],
	['a web page comes instead of the answer', { kind: 'html', ...after }],
	['the answer is empty', { kind: 'emptyBody', ...after }],
	['the answer breaks off', { kind: 'truncated', contentLength: true }],
	['the answer is cut', { kind: 'truncated' }],
	['the answer is a list', { kind: 'body', body: [], ...after }],
	['the answer names no call', { kind: 'body', body: { success: true }, ...after }],
	['the call in the answer has no ID', answered({ call: { status: 'IN_PROGRESS' } })],
	['the call in the answer has failed', answered({ call: { id: 1, status: 'FAILED' } })],
	['success is the text "false"', answered({ success: 'false', status: 'false', call: { id: 1 } })],
];

const neverPlaced: Array<[string, Fault]> = [
	['the connection is reset', { kind: 'reset', when: 'before' }],
	['the service answers 500', statusFault(500)],
	['the service answers 502', statusFault(502)],
	['the service answers 503', statusFault(503)],
	['the service answers 504', statusFault(504)],
	['a web page comes instead of the answer', { kind: 'html' }],
];

const kinds = [
	['check call', { operation: 'triggerCheckCall' }],
	['carrier sales call', { operation: 'triggerCarrierSalesCall', loadId: 'L0', dotNumber: 7 }],
	['agent call', { operation: 'createAgentCall', agentId: 'desk' }],
] as const;

describe.each(kinds)('a %s that was placed', (_kind, parameters) => {
	it.each(lost)('is found, and returned as reconciled, when %s', async (_case, fault) => {
		const called = driver();
		dispatch.fail(fault);
		const { items, status: ended, error } = await dispatch.run(parameters, { items: [called] });
		expect(error).toBeUndefined();
		expect(ended).toBe('success');
		expect(items[0]).toMatchObject({ placement: 'reconciled', toPhone: called.e164 });
		expect(items[0]?.callId).toBe(dispatch.sandbox.ledger.dialed()[0]?.callId);
		expect(dispatch.dialed()).toHaveLength(1);
	});
});

describe.each(kinds)('a %s that may have been placed', (kind, parameters) => {
	it.each(neverPlaced)(
		'causes an error that says the phone may have rung when %s',
		async (_case, fault) => {
			const called = driver();
			dispatch.fail(fault);
			const { error } = await dispatch.run(parameters, { items: [called] });
			expect(error?.message).toContain(`The phone may have rung. The ${kind} to ${called.phone}`);
			expect(error?.message).toMatch('may or may not have been placed');
			expect(error?.description).toMatch('It was not placed again');
			expect(error?.description).toMatch('The call list shows no such call since');
			expect(dispatch.dialed()).toHaveLength(0);
		},
	);
});

describe('nothing is dialed, and the error is clear,', () => {
	it.each([
		[400, 'Check'],
		[401, 'access token'],
		[403, ''],
		[404, ''],
		[409, ''],
		[422, ''],
	])('when the service answers %i', async (code, words) => {
		dispatch.fail(statusFault(code, { message: 'No such load' }));
		const { error } = await dispatch.run();
		expect(error?.message).not.toMatch('may or may not');
		expect(`${error?.message} ${error?.description}`).toMatch(words);
		expect(dispatch.dialed()).toHaveLength(0);
		expect(dispatch.sandbox.ledger.requests()).toHaveLength(1);
	});

	it('when the token is wrong: the request is sent once, even on 401', async () => {
		const { engine, sandbox } = dispatch;
		const { error } = await engine.runNode(
			{
				...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 0, rules: {} },
				...{ rules: { skipIfCalledWithin: 0 }, toPhone: '+13125550100', loadNumber: '1' },
			},
			{
				credentials: {
					carrierLoadCommunicationsApi: { baseUrl: sandbox.baseUrl, accessToken: 'wrong' },
				},
			},
		);
		expect(error?.message).not.toMatch('may or may not');
		expect(sandbox.ledger.requests('triggerCheckCall')).toHaveLength(1);
	});

	it('when there is no service at the base URL', async () => {
		shortBackoffs();
		const { engine } = dispatch;
		const { error } = await engine.runNode(
			{
				resource: 'call',
				operation: 'triggerCheckCall',
				nextStopIndex: 0,
				rules: { skipIfCalledWithin: 0 },

				toPhone: '+13125550100',
				loadNumber: '1',
				options: { timeout: 1 },
			},
			{
				credentials: {
					carrierLoadCommunicationsApi: {
						baseUrl: 'http://127.0.0.1:9',
						accessToken: 'x'.repeat(20),
					},
				},
			},
		);
		expect(error?.message).toMatch('could not be reached');
		expect(error?.message).not.toMatch('may or may not');
	});

	it.each([
		['success is false', { kind: 'successFalse', message: 'Unknown load' }],
		['the call is null', { kind: 'callNull' }],
	] as Array<[string, Fault]>)('when %s', async (_case, fault) => {
		dispatch.fail(fault);
		const { error, items } = await dispatch.run();
		expect(items).toEqual([]);
		expect(error?.message).toMatch(
			/^No phone rang\. The service did not place the check call to \(\d{3}\) \d{3}-\d{4} \(load L\d+\)/,
		);
		if (fault.kind === 'successFalse') expect(error?.message).toMatch('Unknown load');
		expect(dispatch.dialed()).toHaveLength(0);
	});
});

describe('429', () => {
	it.each([
		['seconds', { retryAfter: 1 }],
		['a date', { retryAfter: { inSeconds: 1 } }],
	])(
		'is waited out as long as Retry-After says in %s, then the call is placed once',
		async (_form, how) => {
			skipPauses(1000, 2000);
			dispatch.fail(statusFault(429, how));
			const from = Date.now();
			const { items } = await dispatch.run();
			expect(items[0]).toMatchObject({ placement: 'placed' });
			expect(Date.now() - from).toBeGreaterThanOrEqual(1000);
			expect(dispatch.dialed()).toHaveLength(1);
		},
	);
});
