import { sleep, type BinaryHelperFunctions } from 'n8n-workflow';

/** A Node.js readable stream. Published nodes may not import its type. */
export type ByteStream = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;

export interface StreamRead {
	data: Buffer;
	/** False if the stream exceeded the limit. */
	complete: boolean;
}

/** A task took longer than allowed. */
class DeadlineExceeded extends Error {
	readonly code = 'ETIMEDOUT';
}

/** Ends a time limit that is no longer needed. Without a reason, Node makes an error with a stack each time. */
const IN_TIME = new Error('The task ended in time');

/** Reads up to a number of bytes, buffering at most that and one chunk. */
export async function readStream(stream: ByteStream, maxBytes: number): Promise<StreamRead> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
			size += bytes.length;
			if (size > maxBytes) return { data: Buffer.concat(chunks), complete: false };
			chunks.push(bytes);
		}
		return { data: Buffer.concat(chunks), complete: true };
	} finally {
		stream.destroy();
	}
}

/**
 * The result of a task with a time limit. n8n's request helper (2.41) limits only idle time, and
 * only until the headers arrive, so it would never end a response that trickles in.
 *
 * @param onTimeout releases what the task holds, such as an open stream
 * @throws DeadlineExceeded
 */
export async function withDeadline<Result>(
	timeoutMs: number,
	task: Promise<Result>,
	onTimeout: () => void,
): Promise<Result> {
	const done = new AbortController();
	const timeout = async (): Promise<never> => {
		// Before n8n-workflow 2.41, `sleep` ignores the signal.
		await sleep(timeoutMs, done.signal);
		done.signal.throwIfAborted();
		onTimeout();
		throw new DeadlineExceeded('The request took too long');
	};
	try {
		return await Promise.race([task, timeout()]);
	} finally {
		done.abort(IN_TIME);
	}
}

export function isByteStream(value: unknown): value is ByteStream {
	return (
		typeof value === 'object' &&
		value !== null &&
		Symbol.asyncIterator in value &&
		'destroy' in value &&
		typeof value.destroy === 'function' &&
		'map' in value &&
		typeof value.map === 'function'
	);
}
