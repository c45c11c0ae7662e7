import { analyticsAnswerSchema, carrierAnswerSchema } from '../../sandbox/contract.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import * as asking from './support/requests.mts';
import { sandboxPerTest } from './support/sandbox-per-test.mts';

const { request, BIDS, CALLS, walk } = asking;
const start = sandboxPerTest();

async function carriers(sandbox: Sandbox, query: string) {
	const { json } = await request(sandbox, `/api/v1/carriers?${query}`);
	return carrierAnswerSchema.parse(json);
}

async function analytics(sandbox: Sandbox, query: string) {
	const { json } = await request(sandbox, `/api/v1/analytics?${query}`);
	return analyticsAnswerSchema.parse(json);
}

describe('a carrier search in the sandbox', () => {
	const lane = 'origin=Chicago, IL&destination=Atlanta, GA';

	it('returns the carriers that run the lane and their total', async () => {
		const found = await carriers(await start(), `${lane}&radius=60`);
		expect(found.carriers.length).toBeGreaterThan(0);
		expect(found.pagination).toEqual({ total: found.carriers.length });
		const near = /^(Chicago|Joliet|Elk Grove Village|Gary), I[LN]$/;
		for (const { lanes } of found.carriers) {
			const match = lanes?.some(
				({ origin, destination }) => near.test(origin) && destination === 'Atlanta, GA',
			);
			expect(match).toBe(true);
		}
	});

	it('returns more carriers for a larger radius, including those of the smaller one', async () => {
		const sandbox = await start();
		const sizes: number[] = [];
		for (const radius of [0, 100, 400])
			sizes.push((await carriers(sandbox, `${lane}&radius=${radius}`)).pagination.total);
		expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
		expect(new Set(sizes).size).toBe(3);
	});

	it('filters by equipment type regardless of its spelling', async () => {
		const sandbox = await start();
		const wide = `${lane}&radius=500`;
		const all = (await carriers(sandbox, wide)).pagination.total;
		const reefers = (await carriers(sandbox, `${wide}&equipmentTypes=reefer`)).pagination.total;
		const both = (await carriers(sandbox, `${wide}&equipmentTypes=Reefer, DRY_VAN`)).pagination
			.total;
		expect([reefers > 0, reefers < both, both < all]).toEqual([true, true, true]);
		expect((await carriers(sandbox, `${wide}&equipmentTypes=Submarine`)).carriers).toEqual([]);
	});
});

describe('analytics in the sandbox', () => {
	it('count the calls and bids of each day, including the first and the last', async () => {
		const sandbox = await start();
		const { data, pagination } = await analytics(
			sandbox,
			'startDate=2026-01-30&endDate=2026-02-03',
		);
		expect(data.map(({ date }) => date)).toEqual(
			['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02', '2026-02-03'].map(
				(day) => `${day}T00:00:00.000Z`,
			),
		);
		expect(pagination.total).toBe(5);
		const calls = (await walk(sandbox, CALLS)).rows;
		const bids = (await walk(sandbox, BIDS)).rows;
		for (const { date, metrics } of data) {
			const day = date?.slice(0, 10) ?? '';
			expect(metrics).toMatchObject({
				totalCalls: calls.filter(({ createdAt }) => createdAt?.startsWith(day)).length,
				totalBids: bids.filter(({ callDateTime }) => callDateTime?.startsWith(day)).length,
			});
			expect(metrics?.successfulCalls).toBeLessThanOrEqual(metrics?.totalCalls ?? 0);
		}
	});

	it('include a call that was just placed', async () => {
		const sandbox = await start();
		const today = 'startDate=2026-02-03&endDate=2026-02-03';
		const before = (await analytics(sandbox, today)).data[0]?.metrics?.totalCalls ?? 0;
		await request(sandbox, asking.CHECK_CALL, { body: asking.checkCall });
		expect((await analytics(sandbox, today)).data[0]?.metrics?.totalCalls).toBe(before + 1);
	});

	it('can be capped; the total still counts every day', async () => {
		const sandbox = await start({ analyticsDays: 10 });
		const { data, pagination } = await analytics(
			sandbox,
			'startDate=2026-01-01&endDate=2026-01-31',
		);
		expect(data).toHaveLength(10);
		expect(pagination).toEqual({ limit: 10, offset: 0, total: 31 });
	});

	it('are empty when the range ends before it starts', async () => {
		const { data } = await analytics(await start(), 'startDate=2026-02-03&endDate=2026-02-01');
		expect(data).toEqual([]);
	});
});

describe('recordings in the sandbox', () => {
	it('are WAV files of one second', async () => {
		const sandbox = await start();
		const [call] = (await walk(sandbox, CALLS)).rows;
		const headers = { authorization: `Bearer ${sandbox.tokens.north}` };
		const answer = await fetch(call?.recordingUrl ?? '', { headers });
		const file = Buffer.from(await answer.arrayBuffer());
		expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/wav']);
		expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
		expect(file.readUInt32LE(4)).toBe(file.length - 8);
		expect(file.readUInt32LE(40)).toBe(file.length - 44);
		expect(file.readUInt32LE(40) / file.readUInt32LE(28)).toBe(1);
	});

	it('require the token of the organization that placed the call', async () => {
		const sandbox = await start();
		const [call] = (await walk(sandbox, CALLS)).rows;
		const path = `/recordings/${call?.id}.wav`;
		expect((await request(sandbox, path, { token: null })).status).toBe(401);
		expect((await request(sandbox, path, { token: sandbox.tokens.south })).status).toBe(404);
	});
});
