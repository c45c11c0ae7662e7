import { unless } from '../../shared/fields/field';
import { number, wholeNumber, flag } from '../../shared/fields/simpleFields';
import {
	DEFAULT_RETRY_BUDGET_MS,
	DEFAULT_TIMEOUT_MS,
	MAX_RETRY_MS,
} from '../../shared/service/contract';

export const timeout = number({
	label: 'Timeout (Seconds)',
	...{ min: 1, max: 600, default: DEFAULT_TIMEOUT_MS / 1000 },
	about: 'How long to wait for each response from the service',
	unit: 1000,
});

const retryFor = number({
	label: 'Retry for Up to (Seconds)',
	...{ min: 0, max: MAX_RETRY_MS / 1000, default: DEFAULT_RETRY_BUDGET_MS / 1000 },
	about:
		'How long to keep retrying when the service is busy, including waits that the service asks for',
	unit: 1000,
});

export const requestOptions = { retryFor, timeout };

/** Undefined for all. It must be called `limit`: that name turns on the editor's own hints (n8n 2.41). */
export const limit = unless(
	'returnAll',
	flag({
		label: 'Return All',
		default: false,
		about: 'Whether to return all results or only up to a given limit',
	}),
	wholeNumber({
		label: 'Limit',
		min: 1,
		default: 50,
		narrows: true,
		show: { returnAll: [false] },
		about: 'Max number of results to return',
	}),
);
