import type { Fault, Sandbox } from '../../../sandbox/index.mts';
import { waitUntil } from '../../support/wait-until.mts';
import * as asking from '../support/requests.mts';
import { outcome } from '../support/request-outcome.mts';
import { sandboxPerTest } from '../support/sandbox-per-test.mts';

const { request, CHECK_CALL } = asking;
const start = sandboxPerTest();

const check = (sandbox: Sandbox) => outcome(sandbox, CHECK_CALL, asking.checkCall);
const dialed = (sandbox: Sandbox): number => sandbox.ledger.dialed().length;

describe('a call request that fails', () => {
	it.each([
		['before', 0],
		['after', 1],
	] as const)('with a reset %s placing leaves %i calls', async (when, calls) => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'triggerCheckCall', fault: { kind: 'reset', when } });
		expect(await check(sandbox)).toEqual({ failed: 'ECONNRESET' });
		expect(dialed(sandbox)).toBe(calls);
		expect(sandbox.ledger.requests()).toMatchObject([{ status: null }]);
	});

	it.each([
		['before', 0],
		['after', 1],
	] as const)('with a hang %s placing leaves %i calls', async (when, calls) => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'triggerCheckCall', fault: { kind: 'hang', when } });
		const patience = new AbortController();
		const { signal } = patience;
		const asked = request(sandbox, CHECK_CALL, { body: asking.checkCall, signal });
		await waitUntil('the fault', () => sandbox.faults.list().length === 0);
		setTimeout(() => patience.abort(), 150);
		await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
		expect(dialed(sandbox)).toBe(calls);
	});

	const placing: [Fault, number][] = [
		[{ kind: 'status', status: 503 }, 0],
		[{ kind: 'status', status: 503, afterPlacing: true }, 1],
		[{ kind: 'html' }, 0],
		[{ kind: 'html', afterPlacing: true }, 1],
		[{ kind: 'emptyBody', afterPlacing: true }, 1],
		[{ kind: 'body', body: {}, afterPlacing: true }, 1],
		[{ kind: 'truncated' }, 1],
		[{ kind: 'truncated', contentLength: true }, 1],
		[{ kind: 'redirect', to: '/elsewhere' }, 0],
	];

	it.each(placing)('with %j leaves %i calls', async (fault, calls) => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'triggerCheckCall', fault });
		await check(sandbox);
		expect(dialed(sandbox)).toBe(calls);
	});

	it.each([
		[CHECK_CALL, asking.checkCall, { kind: 'successFalse' }, { success: false, call: null }],
		[
			asking.SALES_CALL,
			asking.salesCall,
			{ kind: 'successFalse' },
			{ success: false, call: null, message: 'The carrier was already called about this load' },
		],
		[
			asking.SALES_CALL,
			asking.salesCall,
			{ kind: 'successFalse', message: 'No' },
			{ success: false, call: null, message: 'No' },
		],
		[CHECK_CALL, asking.checkCall, { kind: 'callNull' }, { success: true, call: null }],
		[asking.AGENT_CALL, asking.agentCall, { kind: 'callNull' }, { status: 'success', call: null }],
		[
			asking.AGENT_CALL,
			asking.agentCall,
			{ kind: 'agentStatus', status: 'queued' },
			{ status: 'queued', call: null },
		],
	] as const)(
		'as the contract foresees places no call: %s %j %j',
		async (path, body, fault, answer) => {
			const sandbox = await start();
			sandbox.faults.add({ endpoint: '*', fault });
			const { status, json } = await request(sandbox, path, { body });
			expect([status, json, dialed(sandbox)]).toEqual([200, answer, 0]);
		},
	);

	it('with an unknown agent status may still leave a call', async () => {
		const sandbox = await start();
		const fault = { kind: 'agentStatus', status: 'queued', afterPlacing: true } as const;
		sandbox.faults.add({ endpoint: 'createAgentCall', fault });
		const { json } = await request(sandbox, asking.AGENT_CALL, { body: asking.agentCall });
		const [call] = sandbox.ledger.dialed();
		expect(json).toMatchObject({ status: 'queued', call: { id: call?.callId } });
	});
});
