import { choice } from '../../shared/fields/choice';
import { number, wholeNumber } from '../../shared/fields/number';
import {
	DEFAULT_PAGES_IN_PARALLEL,
	DEFAULT_RETRY_BUDGET_MS,
	DEFAULT_TIMEOUT_MS,
} from '../../shared/service/http/defaults';
import { MAX_RETRY_MS } from '../../shared/service/http/retry';

/** More would only make the service refuse them. */
const MAX_PAGES_IN_PARALLEL = 16;

/** How long one request may take, in milliseconds. */
export const timeout = number({
	label: 'Timeout (Seconds)',
	min: 1,
	max: 600,
	default: DEFAULT_TIMEOUT_MS / 1000,
	about: 'How long to wait for each response from the service',
	unit: 1000,
});

/** How long a request, its retries and the waits between them may take, in milliseconds. */
const retryFor = number({
	label: 'Retry For Up To (Seconds)',
	min: 0,
	max: MAX_RETRY_MS / 1000,
	default: DEFAULT_RETRY_BUDGET_MS / 1000,
	about:
		'How long to keep retrying when the service is busy, including waits that the service asks for',
	unit: 1000,
});

export const DEFAULT_BATCH_SIZE = 10;
export const DEFAULT_BATCH_INTERVAL_MS = 1000;

/** Options of every operation that reads. */
export const requestOptions = {
	batchInterval: wholeNumber({
		label: 'Batch Interval (Ms)',
		min: 0,
		max: 600_000,
		prefill: DEFAULT_BATCH_INTERVAL_MS,
		about: 'Pause between two batches of input items, in milliseconds',
	}),
	batchSize: wholeNumber({
		label: 'Items per Batch',
		min: 1,
		prefill: DEFAULT_BATCH_SIZE,
		about: 'How many input items to process before each pause. Items always run one at a time.',
	}),
	retryFor,
	timeout,
};

/** Options of the operations that read a list page by page. */
export const pageOptions = {
	onPageFailure: choice({
		label: 'On Page Failure',
		choices: [
			{
				name: 'Stop With an Error',
				value: 'error',
				description: "Fail if any page can't be read",
			},
			{
				name: 'Return What Was Read',
				value: 'partial',
				description: 'Return the pages before the failure, with a hint that says where it stopped',
			},
		],
		default: 'error',
		about: "What to do when a page can't be read, even after retries",
	}),
	pagesInParallel: wholeNumber({
		label: 'Pages in Parallel',
		min: 1,
		max: MAX_PAGES_IN_PARALLEL,
		default: DEFAULT_PAGES_IN_PARALLEL,
		about:
			'How many pages to read at the same time. Reduced automatically when the service rate-limits.',
	}),
};
