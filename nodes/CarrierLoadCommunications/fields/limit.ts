import { flag } from '../../shared/fields/choice';
import { group } from '../../shared/fields/field';
import { wholeNumber } from '../../shared/fields/number';

/**
 * How many results to return; undefined for all. The parameter must be called `limit`: that name
 * turns on the editor's own hints (n8n 2.41).
 */
export const limit = group(
	{
		returnAll: flag({
			label: 'Return All',
			default: false,
			about: 'Whether to return all results or only up to a given limit',
		}),
		limit: wholeNumber({
			label: 'Limit',
			min: 1,
			default: 50,
			narrows: true,
			show: { returnAll: [false] },
			about: 'Max number of results to return',
		}),
	},
	(read): number | undefined => (read('returnAll') ? undefined : read('limit')),
);
