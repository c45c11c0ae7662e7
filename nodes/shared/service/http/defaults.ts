/** Rows per request when the user does not say (contract 8: at most 500). */
export const DEFAULT_PAGE_SIZE = 500;

/** The largest page that the service hands out (contract 8). */
export const MAX_PAGE_SIZE = 500;

/** Pages of one list that are asked for at the same time. */
export const DEFAULT_PAGES_IN_PARALLEL = 4;

/** How long one request may take, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** How long a request and its repetitions may take together, in milliseconds. */
export const DEFAULT_RETRY_BUDGET_MS = 60_000;

/** Size limit of a recording, in bytes. */
export const DEFAULT_MAX_RECORDING_BYTES = 100 * 1024 * 1024;
