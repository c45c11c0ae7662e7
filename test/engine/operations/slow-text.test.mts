import { cpuTime } from '../../support/cpu-time.mts';
import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 3 });
	// What n8n loads at the first request is not the service's doing.
	await runner.run({ resource: 'call', operation: 'getAll' });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

describe('a list of a service that sends text that slows patterns down', () => {
	const zeros = `${'0'.repeat(60_000)}!`;
	const spaces = `2026-03-02T12:00${' '.repeat(60_000)}!`;

	it.each([
		[
			'60 kB of zeros as a load ID',
			{ loadIds: [zeros, '48213'], createdAt: '2026-03-02T12:00:00Z' },
		],
		['60 kB of zeros as text with loads', { loadIds: `${zeros},48213` }],
		['60 kB of spaces in a time', { loadIds: ['48213'], createdAt: spaces }],
	])('is read at once: %s', async (_what, fields) => {
		const body = { calls: [{ id: 7, ...fields }], pagination: { total: 1 } };
		runner.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'body', body },
			times: 'always',
		});
		const list = { resource: 'call', operation: 'getAll', filters: { loadId: '48213' } };
		const { result, cpuMs } = await cpuTime(() => runner.run(list));
		expect(result.items).toMatchObject([{ callId: 7 }]);
		expect(cpuMs).toBeLessThan(1000);
	});

	const spacedNumber = `+1312555${' '.repeat(60_000)}1x`;
	it.each([
		['in the call list', { toPhone: '+13125550188' }, { toPhone: spacedNumber }],
		['to call', { toPhone: spacedNumber }, { toPhone: '+13125550123' }],
	])('keeps no call waiting for a number with 60 kB of spaces: %s', async (_where, call, row) => {
		const createdAt = new Date().toISOString();
		const body = { calls: [{ id: 7, createdAt, ...row }], pagination: { total: 1 } };
		runner.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'body', body },
			times: 'always',
		});
		const place = { resource: 'call', operation: 'triggerCheckCall', ...call };
		const { result, cpuMs } = await cpuTime(() =>
			runner.run({
				...place,
				loadNumber: '48213',
				nextStopIndex: 1,
				rules: { skipIfCalledWithin: 10 },
			}),
		);
		expect(result.status).toBe(row.toPhone === spacedNumber ? 'success' : 'error');
		expect(cpuMs).toBeLessThan(1000);
	});

	it.each([
		['as one text', (loads: string[]) => loads.join(';')],
		[
			'as a thousand texts',
			(loads: string[]) =>
				Array.from({ length: 1000 }, (_, nth) => loads.slice(100 * nth, 100 * nth + 100).join(';')),
		],
	])('is refused at once if it has 100,000 loads in each row, %s', async (_what, written) => {
		const loadsOf = (row: number) =>
			Array.from({ length: 100_000 }, (_, nth) => `${nth.toString(36)}-${row}`);
		const calls = [1, 2, 3, 4].map((id) => ({ id, loadIds: written(loadsOf(id)) }));
		const body = { calls, pagination: { total: 4 } };
		runner.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'body', body },
			times: 'always',
		});
		const list = { resource: 'call', operation: 'getAll', filters: { loadId: '48213' } };
		const { result, cpuMs } = await cpuTime(() => runner.run(list));
		expect(result.error?.message).toContain('the service ignored the filter Load ID');
		expect(cpuMs).toBeLessThan(1000);
	});
});
