import type { Fault } from '../../../sandbox/index.mts';
import { driver, openDispatch, type Dispatch } from './dispatch.mts';

let dispatch: Dispatch;
beforeAll(async () => {
	dispatch = await openDispatch();
});
afterAll(() => dispatch.close());
beforeEach(() => dispatch.reset());

const status = (code: number, more: object = {}): Fault => ({
	kind: 'status',
	status: code,
	...more,
});
const after = { afterPlacing: true };

const lost: Array<[string, Fault]> = [
	['the connection is reset', { kind: 'reset', when: 'after' }],
	['the service answers 500', status(500, after)],
	['the service answers 502 with a web page', status(502, { ...after, body: 'html' })],
	['the service answers 503', status(503, after)],
	['the service answers 504 with nothing', status(504, { ...after, body: 'empty' })],
	['the service answers 408', status(408, after)],
	['a web page comes instead of the answer', { kind: 'html', ...after }],
	['the answer is empty', { kind: 'emptyBody', ...after }],
	['the answer breaks off', { kind: 'truncated', contentLength: true }],
	['the answer is cut', { kind: 'truncated' }],
	['the answer is a list', { kind: 'body', body: [], ...after }],
	['the answer names no call', { kind: 'body', body: { success: true }, ...after }],
];

const neverPlaced: Array<[string, Fault]> = [
	['the connection is reset', { kind: 'reset', when: 'before' }],
	['the service answers 500', status(500)],
	['the service answers 502', status(502)],
	['the service answers 503', status(503)],
	['the service answers 504', status(504)],
	['a web page comes instead of the answer', { kind: 'html' }],
];

const kinds = [
	['check call', { operation: 'triggerCheckCall' }],
	['carrier sales call', { operation: 'triggerCarrierSalesCall', loadId: 'L0', dotNumber: 7 }],
	['agent call', { operation: 'createAgentCall', agentId: 'desk' }],
] as const;

describe.each(kinds)('a %s that was placed', (_kind, parameters) => {
	it.each(lost)('is found and goes on as reconciled when %s', async (_case, fault) => {
		const called = driver();
		dispatch.fail(fault);
		const { items, status: ended, error } = await dispatch.run(parameters, { items: [called] });
		expect(error).toBeUndefined();
		expect(ended).toBe('success');
		expect(items[0]).toMatchObject({ outcome: 'reconciled', toPhone: called.e164 });
		expect(items[0]?.callId).toBe(dispatch.sandbox.ledger.dialled()[0]?.callId);
		expect(dispatch.dialled()).toHaveLength(1);
	});
});

describe.each(kinds)('a %s that may have been placed', (kind, parameters) => {
	it.each(neverPlaced)('is an error that says so when %s', async (_case, fault) => {
		const called = driver();
		dispatch.fail(fault);
		const { error } = await dispatch.run(parameters, { items: [called] });
		expect(error?.message).toMatch(`The ${kind} to ${called.e164}`);
		expect(error?.message).toMatch('may or may not have been placed');
		expect(error?.description).toMatch('It was not dialled again');
		expect(error?.description).toMatch('The call list shows no such call since');
		expect(dispatch.dialled()).toHaveLength(0);
	});
});

it('finds a call whose answer took too long', async () => {
	dispatch.fail({ kind: 'hang', when: 'after' });
	const { items } = await dispatch.run({ options: { timeout: 1, lookForLostAnswers: 1 } });
	expect(items[0]).toMatchObject({ outcome: 'reconciled' });
	expect(dispatch.dialled()).toHaveLength(1);
});

it('finds a call that the list shows late, and reads the list again when that fails', async () => {
	dispatch.fail({ kind: 'reset', when: 'after' });
	dispatch.sandbox.faults.add(
		{
			endpoint: 'listCalls',
			fault: { kind: 'body', body: { calls: [], pagination: { total: 0 } } },
		},
		{ endpoint: 'listCalls', fault: { kind: 'status', status: 500 } },
	);
	const { items } = await dispatch.run({ options: { lookForLostAnswers: 5 } });
	expect(items[0]).toMatchObject({ outcome: 'reconciled' });
	expect(dispatch.dialled()).toHaveLength(1);
});

it('says that it could not look when the list cannot be read', async () => {
	dispatch.fail({ kind: 'reset', when: 'after' });
	dispatch.sandbox.faults.add({
		endpoint: 'listCalls',
		fault: { kind: 'status', status: 500 },
		times: 'always',
	});
	const { error } = await dispatch.run();
	expect(error?.message).toMatch('may or may not have been placed');
	expect(error?.description).toMatch('The call list could not be read');
});

it('does not take an earlier call to the same number for the same load for the lost one', async () => {
	const called = driver();
	dispatch.sandbox.insert({
		toPhone: called.e164,
		loadId: called.load,
		createdAt: new Date(Date.now() - 30_000).toISOString(),
	});
	dispatch.fail({ kind: 'reset', when: 'before' });
	const { error } = await dispatch.run({}, { items: [called] });
	expect(error?.message).toMatch('may or may not have been placed');
});

it('does not take a call about another load for the lost one', async () => {
	const called = driver();
	dispatch.fail({ kind: 'reset', when: 'before' });
	dispatch.sandbox.insert({ toPhone: called.e164, loadId: 'other' });
	const { error } = await dispatch.run({}, { items: [called] });
	expect(error?.message).toMatch('may or may not have been placed');
});

it('takes none of several calls that could be the lost one', async () => {
	const called = driver();
	dispatch.fail({ kind: 'reset', when: 'after' });
	dispatch.sandbox.insert({ toPhone: called.e164, loadId: called.load });
	const { error } = await dispatch.run({}, { items: [called] });
	expect(error?.description).toMatch(/several calls that could be it \(IDs \d+, \d+\)/);
	expect(dispatch.dialled()).toHaveLength(1);
});

it('does not take the call of another item for the lost one', async () => {
	const twice = Array(2).fill(driver());
	dispatch.sandbox.faults.add({
		endpoint: 'triggerCheckCall',
		fault: { kind: 'reset', when: 'before' },
		skip: 1,
	});
	const { error } = await dispatch.run({}, { items: twice });
	expect(error?.message).toMatch('may or may not have been placed');
	expect(dispatch.dialled()).toHaveLength(1);
});

it('gives two lost calls to one number one found call each', async () => {
	const twice = Array(2).fill(driver());
	dispatch.fail({ kind: 'reset', when: 'after' }, { kind: 'reset', when: 'after' });
	const { items } = await dispatch.run({ options: { callsInParallel: 2 } }, { items: twice });
	expect(items.map(({ callId }) => callId)).toEqual(
		dispatch.sandbox.ledger.dialled().map(({ callId }) => callId),
	);
	expect(dispatch.dialled()).toHaveLength(2);
});

describe('nothing is dialled, and the error is plain,', () => {
	it.each([
		[400, 'Check'],
		[401, 'access token'],
		[403, ''],
		[404, ''],
		[409, ''],
		[422, ''],
	])('when the service answers %i', async (code, words) => {
		dispatch.fail(status(code, { message: 'No such load' }));
		const { error } = await dispatch.run();
		expect(error?.message).not.toMatch('may or may not');
		expect(`${error?.message} ${error?.description}`).toMatch(words);
		expect(dispatch.dialled()).toHaveLength(0);
		expect(dispatch.sandbox.ledger.requests()).toHaveLength(1);
	});

	it('when the token is wrong: the request is sent once, also on 401', async () => {
		const { engine, sandbox } = dispatch;
		const { error } = await engine.runNode(
			{ resource: 'call', operation: 'triggerCheckCall', toPhone: '+13125550100', loadNumber: '1' },
			{
				credentials: {
					carrierLoadCommunicationsApi: { baseUrl: sandbox.baseUrl, accessToken: 'wrong' },
				},
			},
		);
		expect(error?.message).not.toMatch('may or may not');
		expect(sandbox.ledger.requests('triggerCheckCall')).toHaveLength(1);
	});

	it('when there is no service at the address', async () => {
		const { engine } = dispatch;
		const { error } = await engine.runNode(
			{
				resource: 'call',
				operation: 'triggerCheckCall',
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
	}, 90_000);

	it.each([
		['success is false', { kind: 'successFalse', message: 'Unknown load' }],
		['the call is null', { kind: 'callNull' }],
	] as Array<[string, Fault]>)('when %s', async (_case, fault) => {
		dispatch.fail(fault);
		const { error, items } = await dispatch.run();
		expect(items).toEqual([]);
		expect(error?.message).toMatch(
			/^The service did not place the check call to \+1\d{10} about load L\d+/,
		);
		if (fault.kind === 'successFalse') expect(error?.message).toMatch('Unknown load');
		expect(dispatch.dialled()).toHaveLength(0);
	});
});

describe('429', () => {
	it.each([
		['seconds', { retryAfter: 1 }],
		['a date', { retryAfter: { inSeconds: 1 } }],
	])(
		'is waited for as long as Retry-After says in %s, then the call is placed once',
		async (_form, how) => {
			dispatch.fail(status(429, how));
			const from = Date.now();
			const { items } = await dispatch.run();
			expect(items[0]).toMatchObject({ outcome: 'placed' });
			expect(Date.now() - from).toBeGreaterThan('seconds' === _form ? 950 : 1);
			expect(dispatch.dialled()).toHaveLength(1);
		},
	);
});

describe('an agent call answered with another status than success', () => {
	const agentCall = { operation: 'createAgentCall', agentId: 'desk' };
	const fault = (more: object): Fault => ({ kind: 'agentStatus', status: 'busy_later', ...more });

	it('is a plain error when there is no call', async () => {
		dispatch.fail(fault({}));
		const { error } = await dispatch.run(agentCall);
		expect(error?.message).toMatch(
			/did not place the agent call to \+1\d{10}: the status "busy_later"/,
		);
	});

	it('is found when it was placed all the same', async () => {
		dispatch.fail(fault({ afterPlacing: true }));
		const { items } = await dispatch.run(agentCall);
		expect(items[0]).toMatchObject({ outcome: 'reconciled' });
		expect(dispatch.dialled()).toHaveLength(1);
	});

	it('is an error with the words of the service when it is not found', async () => {
		const body = { status: 'error', message: 'The agent is paused' };
		dispatch.fail({ kind: 'body', body });
		const { error } = await dispatch.run(agentCall);
		expect(error?.message).toMatch('may or may not have been placed');
		expect(error?.description).toMatch(
			'The service answered with the status "error": The agent is paused',
		);
	});
});
