/** Rows per request: as many as the service allows (contract 8). */
export const DEFAULT_PAGE_SIZE = 500;

/** Pages of one list that are requested at the same time. */
export const DEFAULT_PAGES_IN_PARALLEL = 4;

/** How long one request may take, to the last byte of its answer, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** How long a request, its retries and the waits between them may take in all, in milliseconds. */
export const DEFAULT_RETRY_BUDGET_MS = 5 * 60_000;

/** Size limit of an answer other than a recording, decompressed, in bytes. */
export const MAX_ANSWER_BYTES = 100 * 1024 * 1024;

/** Size limit of a recording, in bytes. */
export const DEFAULT_MAX_RECORDING_BYTES = 100 * 1024 * 1024;
