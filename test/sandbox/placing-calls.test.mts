import { checkCallResponseSchema } from '../../sandbox/contract.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import * as asking from './support/requests.mts';
import { sandboxPerTest } from './support/sandbox-per-test.mts';

const { request, CALLS, CONVERSATIONS, NOON, walk } = asking;
const start = sandboxPerTest();

async function placeCheckCall(sandbox: Sandbox, more: object = {}) {
	const body = { ...asking.checkCall, ...more };
	const { json } = await request(sandbox, asking.CHECK_CALL, { body });
	return checkCallResponseSchema.parse(json).call;
}

describe('a call placed in the sandbox', () => {
	it('is in progress, from the broker to the requested phone number', async () => {
		const sandbox = await start();
		const call = await placeCheckCall(sandbox, { toPhone: '+18155550142;ext=17' });
		expect(call).toMatchObject({
			status: 'IN_PROGRESS',
			toPhone: '+18155550142;ext=17',
			createdAt: NOON.toISOString(),
		});
	});

	it('is listed right away, without its outcome', async () => {
		const sandbox = await start();
		const call = await placeCheckCall(sandbox, { driverName: 'Rosa Delgado' });
		const [newest] = (await walk(sandbox, CALLS)).rows;
		expect(newest).toMatchObject({
			...{ id: call?.id, toPhone: '+18155550142', loadIds: ['48213'], callerName: 'Rosa Delgado' },
			...{ createdAt: NOON.toISOString(), summary: null, transcript: null, recordingUrl: null },
		});
		const [conversation] = (await walk(sandbox, CONVERSATIONS)).rows;
		expect(conversation).toMatchObject({
			id: call?.conversationId,
			loads: '48213',
			callSummary: null,
		});
	});

	it('has summary, transcript, tags and recording when it ends', async () => {
		const sandbox = await start();
		const call = await placeCheckCall(sandbox, { driverName: 'Rosa "Red" Delgado\\' });
		await sandbox.finishCalls();
		const [newest] = (await walk(sandbox, CALLS)).rows;
		expect(newest).toMatchObject({
			id: call?.id,
			summary: expect.stringContaining('Rosa "Red" Delgado\\'),
			transcript: expect.stringContaining('load 48213'),
			contentTags: 'check_call,on_time',
			recordingUrl: `${sandbox.baseUrl}/recordings/${call?.id}.wav`,
		});
		const [conversation] = (await walk(sandbox, CONVERSATIONS)).rows;
		expect(conversation?.callSummary).toBe(newest?.summary);
	});

	it.each([
		['on time', 1, /ETA (\d+:\d\d [AP]M) CT, on time, (\d+) miles out/],
		['late', 4, /New ETA (\d+:\d\d [AP]M) CT\./],
	])('gives an ETA after the call if the driver is %s', async (_how, nextStopIndex, says) => {
		const sandbox = await start();
		for (let nth = 0; nth < 20; nth++) {
			await placeCheckCall(sandbox, { nextStopIndex, loadNumber: `E-${nth}` });
		}
		await sandbox.finishCalls();
		// Noon in UTC is 6 AM in Chicago, in winter.
		for (const { summary } of (await walk(sandbox, CALLS)).rows.slice(0, 20)) {
			const [, eta = ''] = says.exec(String(summary)) ?? [];
			const hours =
				(Date.parse(`2026-02-03 ${eta} UTC`) - Date.parse('2026-02-03 6:00 UTC')) / 3_600_000;
			expect(hours).toBeGreaterThan(1);
			expect(hours).toBeLessThan(9);
		}
	});

	it('is answered by a carrier that says its name, also one outside the network', async () => {
		const sandbox = await start();
		for (const dotNumber of [2213756, 1]) {
			const body = { ...asking.salesCall, dotNumber, contactName: 'Marcus' };
			await request(sandbox, asking.SALES_CALL, { body });
		}
		await sandbox.finishCalls();
		const summaries = (await walk(sandbox, CALLS)).rows.slice(0, 2).map(({ summary }) => summary);
		expect(summaries).toEqual([
			expect.stringMatching(/^Marcus of [A-Z][^$]+ (LLC|Inc) /),
			expect.stringMatching(/^Marcus of [A-Z][^$]+ (LLC|Inc) /),
		]);
	});

	it('ends after the configured delay', async () => {
		const sandbox = await start({ callDelayMs: 5 });
		await placeCheckCall(sandbox);
		await sandbox.whenIdle();
		const [newest] = (await walk(sandbox, CALLS)).rows;
		expect(newest?.summary).toContain('48213');
	});

	it('can be found by its load and by its time', async () => {
		const sandbox = await start();
		const call = await placeCheckCall(sandbox);
		const at = NOON.toISOString();
		for (const filter of [`${asking.ALL_TIME}&loadId=48213`, `startTime=${at}&endTime=${at}`]) {
			const { rows } = await walk(sandbox, CALLS, { filter });
			expect(rows.map(({ id }) => id)).toEqual([call?.id]);
		}
	});

	it('is in the ledger once, with the whole request', async () => {
		const sandbox = await start();
		const metadata = { tmsId: 'T-1', attempt: 2 };
		await placeCheckCall(sandbox, { metadata });
		await request(sandbox, asking.SALES_CALL, { body: asking.salesCall });
		await request(sandbox, asking.AGENT_CALL, { body: asking.agentCall });
		const { toPhone, loadId, dotNumber } = asking.salesCall;
		expect(sandbox.ledger.dialed()).toMatchObject([
			{ kind: 'checkCall', organization: 'north', loadNumber: '48213', metadata },
			{ kind: 'carrierSalesCall', toPhone, loadId, dotNumber, body: asking.salesCall },
			{ kind: 'agentCall', agentId: 'agent-7', dynamicVariables: { lane: 'Joliet to Gary' } },
		]);
		expect(new Set(sandbox.ledger.dialed().map(({ callId }) => callId)).size).toBe(3);
	});

	it('to a known DOT number is listed with that carrier', async () => {
		const sandbox = await start();
		const [known] = (await walk(sandbox, CALLS)).rows;
		const body = { ...asking.salesCall, dotNumber: known?.dotNumber };
		await request(sandbox, asking.SALES_CALL, { body });
		const [newest] = (await walk(sandbox, CALLS)).rows;
		expect(newest).toMatchObject({ mcNumber: known?.mcNumber, dotNumber: known?.dotNumber });
	});
});

describe('the ledger of the sandbox', () => {
	it('records every request with endpoint, query, body, organization and status, but no token', async () => {
		const sandbox = await start();
		await request(sandbox, `/api/v1/calls?${asking.ALL_TIME}&limit=3`);
		await placeCheckCall(sandbox);
		await request(sandbox, '/api/v1/nowhere', { token: sandbox.tokens.south });
		const requests = sandbox.ledger.requests();
		expect(requests).toMatchObject([
			{
				endpoint: 'listCalls',
				method: 'GET',
				path: '/api/v1/calls',
				query: { limit: '3' },
				status: 200,
			},
			{
				endpoint: 'triggerCheckCall',
				method: 'POST',
				body: asking.checkCall,
				organization: 'north',
			},
			{ endpoint: 'unknown', path: '/api/v1/nowhere', organization: 'south', status: 404 },
		]);
		for (const token of Object.values(sandbox.tokens)) {
			expect(JSON.stringify(requests)).not.toContain(token);
		}
		expect(sandbox.ledger.requests('triggerCheckCall')).toHaveLength(1);
		sandbox.ledger.clear();
		expect([...sandbox.ledger.requests(), ...sandbox.ledger.dialed()]).toEqual([]);
	});
});
