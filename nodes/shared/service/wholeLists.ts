import type { ServiceClient } from './client';
import type { AnalyticsQuery, CarrierQuery } from './contract';
import { count } from './listHint';
import type { List, Page } from './pages';

/** GET /api/v1/carriers (contract 4.3), which has no pages. */
export async function searchCarriers(client: ServiceClient, query: CarrierQuery): Promise<List> {
	const about = `${query.origin} to ${query.destination}`;
	const page = await client.page('carriers', 'carriers', query, about);
	return wholeList(page, 'carriers on this lane', 'Try a smaller radius or fewer equipment types.');
}

/** GET /api/v1/analytics (contract 4.4), which has no pages either. */
export async function getAnalytics(client: ServiceClient, query: AnalyticsQuery): Promise<List> {
	const about = `${query.startDate} to ${query.endDate}`;
	const page = await client.page('analytics', 'data', query, about);
	return wholeList(page, 'days of analytics', 'Choose a shorter range of days.');
}

/** @param advice what to do if it is not all of it */
function wholeList({ rows, total = 0 }: Page, things: string, advice: string): List {
	const kept = rows.filter((row) => Object.keys(row).length > 0);
	if (total <= kept.length) return { rows: kept, complete: true };
	const hint = `The service reports ${count(total)} ${things} but returned only ${count(kept.length)}. ${advice}`;
	return { rows: kept, complete: false, hint };
}
