import { sleep } from 'n8n-workflow';

/** As much of Node's streams as is needed; a published node may not import them. */
export interface ByteStream extends AsyncIterable<unknown> {
	destroy(): unknown;
}

export interface StreamRead {
	data: Buffer;
	/** False when there was more than was wanted. */
	complete: boolean;
}

/** Nothing came for too long. */
export class StreamSilent extends Error {
	readonly code = 'ETIMEDOUT';
}

/**
 * Reads a stream up to a number of bytes, holding no more than that and one chunk.
 *
 * @param silenceMs how long nothing may come; n8n-core 2.41 has no timeout once a stream has begun
 * @throws StreamSilent, and whatever the stream fails of
 */
export async function readStream(
	stream: ByteStream,
	maxBytes: number,
	silenceMs: number,
): Promise<StreamRead> {
	const reading = new Reading(stream, maxBytes);
	const over = new AbortController();
	try {
		return await Promise.race([reading.read(), untilSilent(reading, silenceMs, over.signal)]);
	} finally {
		over.abort();
		stream.destroy();
	}
}

export function isByteStream(value: unknown): value is ByteStream {
	return (
		typeof value === 'object' &&
		value !== null &&
		Symbol.asyncIterator in value &&
		'destroy' in value &&
		typeof value.destroy === 'function'
	);
}

class Reading {
	size = 0;

	private readonly chunks: Uint8Array[] = [];

	constructor(
		private readonly stream: ByteStream,
		private readonly maxBytes: number,
	) {}

	async read(): Promise<StreamRead> {
		for await (const chunk of this.stream) {
			const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
			this.size += bytes.length;
			if (this.size > this.maxBytes) return { data: Buffer.concat(this.chunks), complete: false };
			this.chunks.push(bytes);
		}
		return { data: Buffer.concat(this.chunks), complete: true };
	}
}

async function untilSilent(reading: Reading, silenceMs: number, over: AbortSignal): Promise<never> {
	for (let before = -1; before !== reading.size; ) {
		before = reading.size;
		await sleep(silenceMs, over);
		// Before n8n-workflow 2.41 `sleep` takes no signal and sleeps on.
		over.throwIfAborted();
	}
	throw new StreamSilent('Nothing came for too long');
}
