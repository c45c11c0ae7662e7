import { readAnalytics } from '../../../nodes/shared/service/pagination/analytics.ts';
import type { AnalyticsQuery } from '../../../nodes/shared/service/contract.ts';
import type { JsonObject } from '../../../nodes/shared/service/http/json.ts';

const range = { startDate: '2026-01-01', endDate: '2026-12-31' };

/** A service with one entry per day that returns a limited number at once. */
function service(
	most: number,
	more: { exclusive?: boolean; newestFirst?: boolean; only?: string[] } = {},
) {
	const asked: AnalyticsQuery[] = [];
	const read = async (query: AnalyticsQuery) => {
		asked.push(query);
		const rows: JsonObject[] = [];
		const end = Date.parse(query.endDate) - (more.exclusive ? 1 : 0);
		for (let day = Date.parse(query.startDate); day <= end; day += 86_400_000) {
			const date = new Date(day).toISOString();
			if (more.only && !more.only.includes(date.slice(0, 10))) continue;
			rows.push({ date, metrics: { totalCalls: day / 86_400_000 } });
		}
		if (more.newestFirst) rows.reverse();
		return { rows: rows.slice(0, most), total: rows.length };
	};
	return { read, asked };
}

describe('analytics that the service returns in parts', () => {
	it.each([1, 2, 7, 30, 100, 364])('are complete when it returns %i days at once', async (most) => {
		const { read, asked } = service(most);
		const { rows, hint } = await readAnalytics(range, read);
		expect(hint).toBeUndefined();
		expect(rows).toHaveLength(365);
		expect(new Set(rows.map(({ date }) => date)).size).toBe(365);
		expect(asked.length).toBeLessThan(4 * Math.ceil(365 / most) + 2);
	});

	it('are complete when the service excludes the end of a range', async () => {
		const { rows, hint } = await readAnalytics(range, service(50, { exclusive: true }).read);
		expect(rows).toHaveLength(365);
		expect(hint).toBeUndefined();
	});

	it("are sorted by date, whatever the service's order", async () => {
		const { rows } = await readAnalytics(range, service(50, { newestFirst: true }).read);
		const dates = rows.map(({ date }) => String(date));
		expect(dates).toEqual(dates.toSorted());
		expect(dates).toHaveLength(365);
	});

	it('are complete when all entries are at one end of the range', async () => {
		const only = ['2026-12-29', '2026-12-30', '2026-12-31'];
		const { rows, hint } = await readAnalytics(range, service(1, { only }).read);
		expect(rows.map(({ date }) => String(date).slice(0, 10))).toEqual(only);
		expect(hint).toBeUndefined();
	});

	it('come with a hint when a single day has more than the service returns', async () => {
		const read = async () => ({ rows: [{ date: '2026-01-01' }], total: 3 });
		const { rows, hint } = await readAnalytics(
			{ startDate: '2026-01-01', endDate: '2026-01-01' },
			read,
		);
		expect(rows).toHaveLength(1);
		expect(hint).toContain('reports 3 days of analytics but returned only 1');
	});

	it('are returned as received when there is no total', async () => {
		const rows = [{ date: '2026-01-01' }];
		expect(await readAnalytics(range, async () => ({ rows, total: undefined }))).toEqual({ rows });
	});
});
