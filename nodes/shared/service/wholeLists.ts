import type { ServiceClient } from './client';
import type { AnalyticsQuery, CarrierQuery } from './contract';
import { wholeList } from './listHint';
import type { List } from './pages';

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
