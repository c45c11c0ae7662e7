import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { shownText, searchRecent, type RecentSearch } from '../../../shared/search/search';

const calls: RecentSearch = {
	list: 'calls',
	entryOf({ id, loadIds, callerName, fromPhone, toPhone, mcNumber }, time) {
		const loads = shownText(loadIds);
		const value = shownText(id);
		const who = shownText(callerName) || shownText(toPhone) || `call ${value}`;
		return {
			value,
			shown: [time, loads && `load ${loads}`, who],
			hidden: [fromPhone, toPhone, mcNumber].map(shownText),
		};
	},
};

/** The calls of the last days, to choose one: "Oct 3, 14:05 · load 48213 · Luis Ortega" (contract 2.3). */
export async function searchCalls(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await searchRecent(this, calls, filter);
}
