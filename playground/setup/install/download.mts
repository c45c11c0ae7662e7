import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../../process/user-error.mts';

const TRIES = 3;
const PAUSE_MS = 1_000;

/**
 * Downloads a file. Tries again when the connection fails or the server does.
 * @param integrity its checksum, as lockfiles write it: "sha512-…"
 * @throws Error when it can't be had, or isn't the file that was asked for
 */
export async function download(url: string, integrity: string): Promise<Buffer> {
	for (let tries = 1; ; tries++) {
		try {
			const body = await fetchFile(url);
			assertIntegrity(body, integrity, fileName(url));
			return body;
		} catch (error) {
			if (tries === TRIES || error instanceof RefusedError) throw error;
			await wait(PAUSE_MS * tries);
		}
	}
}

async function fetchFile(url: string): Promise<Buffer> {
	const response = await fetch(url).catch((error: unknown) => {
		const cause = error instanceof Error ? error.cause : undefined;
		throw new Error(`${fileName(url)}: ${errorCode(cause) ?? 'no response'}`);
	});
	if (response.ok) return Buffer.from(await response.arrayBuffer());
	const message = `${fileName(url)}: status ${response.status}`;
	throw response.status < 500 ? new RefusedError(message) : new Error(message);
}

/** For messages: the address before it may contain a password. */
function fileName(url: string): string {
	return url.slice(url.lastIndexOf('/') + 1);
}

/** The server won't have it the next time, either. */
class RefusedError extends Error {}

function assertIntegrity(body: Buffer, integrity: string, file: string): void {
	const [algorithm = '', ...rest] = integrity.split('-');
	if (createHash(algorithm).update(body).digest('base64') === rest.join('-')) return;
	throw new Error(`${file}: not the file that the lockfile names`);
}
