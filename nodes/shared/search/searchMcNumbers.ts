import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { digitsOfMcNumber } from '../fields/recordFilters';
import type { ListName } from '../columns/records';
import { shownText } from './entries';
import { searchRecent, type RecentSearch } from './searchRecent';

/**
 * The carriers of a list that is to be filtered, by MC number: "MC 738202 · Luis Ortega · Oct 3,
 * 14:05" (contract 2.2, 2.3, 2.5). The lists do not name the carrier, only who called.
 */
export async function searchMcNumbers(
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	return await searchRecent(this, searchIn(filteredList(this)), digitsOfMcNumber(filter), token);
}

/** The list that the form filters: by the action node's resource, or the polling trigger's event. */
function filteredList(context: ILoadOptionsFunctions): ListName {
	const { resource, event } = Object(context.getCurrentNodeParameters());
	const about = String(event ?? resource).toLowerCase();
	return about.endsWith('bid')
		? 'bids'
		: about.endsWith('conversation')
			? 'conversations'
			: 'calls';
}

function searchIn(list: ListName): RecentSearch {
	const isBids = list === 'bids';
	return {
		...{ list, filterBy: 'mcNumber' },
		entryOf(row, time) {
			const value = shownText(isBids ? row.carrierMc : row.mcNumber);
			const who = shownText(row.callerName) || shownText(row.emailFrom);
			return { value, shown: [`MC ${value}`, who, time] };
		},
	};
}
