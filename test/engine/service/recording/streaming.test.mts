import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '../../../support/wait-until.mts';
import { core, di } from '../../support/harness/n8n.mts';
import { startNodeRunner, type NodeRunner } from '../../support/operations/node-runner.mts';

const MEGABYTE = 1024 * 1024;

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 0 });
});
afterAll(() => runner.close());

/** The size of all files that n8n stores, in bytes. */
async function storedBytes() {
	const folder = di.Container.get(core.BinaryDataConfig).localStoragePath;
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	const sizes = files.map(
		async ({ parentPath, name }) => (await stat(join(parentPath, name))).size,
	);
	return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

it('a recording is stored while it is downloaded, so that it never has to fit into memory', async () => {
	let part: number | undefined;
	const host = createServer((_request, response) => {
		response.writeHead(200, { 'Content-Type': 'audio/mpeg' });
		response.write(Buffer.alloc(8 * MEGABYTE));
		const stored = async () => (await storedBytes()) > MEGABYTE;
		void waitUntil('the first part in the storage', stored, 120_000)
			.then(async () => void (part = await storedBytes()))
			.catch(() => {})
			.finally(() => response.end(Buffer.alloc(MEGABYTE)));
	});
	await new Promise<void>((ready) => host.listen(0, '127.0.0.1', ready));
	const { port } = host.address() as AddressInfo;
	const { items, error } = await runner.run({
		...{ resource: 'call', operation: 'downloadRecording', recordingSource: 'url' },
		recordingUrl: `http://127.0.0.1:${port}/call.mp3`,
		options: { timeout: 300 },
	});
	host.closeAllConnections();
	await new Promise((closed) => host.close(closed));
	expect(error).toBeUndefined();
	expect(items).toEqual([expect.objectContaining({ fileSizeBytes: 9 * MEGABYTE })]);
	expect(part).toBeGreaterThan(MEGABYTE);
	expect(part).toBeLessThanOrEqual(8 * MEGABYTE);
});
