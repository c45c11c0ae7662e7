/** Rows per request: as many as the service allows (contract 8). */
export const DEFAULT_PAGE_SIZE = 500;

/** Pages of one list to request in parallel. */
export const DEFAULT_PAGES_IN_PARALLEL = 4;

/** Time limit for one request, up to the last byte of the response, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Time limit for a request with all its retries and the waits between them, in milliseconds. */
export const DEFAULT_RETRY_BUDGET_MS = 5 * 60_000;

/** Size limit of a decompressed response other than a recording, in bytes. */
export const MAX_ANSWER_BYTES = 100 * 1024 * 1024;

/** Size limit of a recording, in bytes. */
export const DEFAULT_MAX_RECORDING_BYTES = 100 * 1024 * 1024;
