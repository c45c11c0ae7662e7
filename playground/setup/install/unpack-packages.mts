// Started as a worker by packages.mts: downloads and unpacks packages until none is left.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import tls from 'node:tls';
import { workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { download, filesIn, type PackageToUnpack } from './packages.mts';

export interface UnpackOrder {
	folder: string;
	/** Certificates to trust next to Node.js's own; empty if there are none. */
	cafile: string;
	packages: PackageToUnpack[];
	/** The next package's index, counted up by all workers. */
	next: Int32Array;
}

/** While one package is unpacked, others arrive. */
const AT_ONCE = 24;

const { folder, cafile, packages, next }: UnpackOrder = workerData;
const madeFolders = new Set<string>();

// HTTPS_PROXY. The first versions of Node.js 24 can't; with those, npm installs from behind a proxy.
http.setGlobalProxyFromEnv?.();
if (cafile !== '') {
	const own = tls.getCACertificates('default');
	tls.setDefaultCACertificates([...own, readFileSync(cafile, 'utf8')]);
}
await Promise.all(Array.from({ length: AT_ONCE }, unpackUntilDone));

async function unpackUntilDone(): Promise<void> {
	for (;;) {
		const one = packages[Atomics.add(next, 0, 1)];
		if (one === undefined) return;
		await unpack(gunzipSync(await download(one.url, one.integrity)), one.paths);
	}
}

async function unpack(tar: Uint8Array, paths: string[]): Promise<void> {
	for (const file of await filesIn(tar)) {
		for (const path of paths) {
			const target = join(folder, path, file.path);
			makeOnce(dirname(target));
			writeFileSync(target, file.content, { mode: file.isExecutable ? 0o755 : 0o644 });
		}
	}
}

function makeOnce(path: string): void {
	if (madeFolders.has(path)) return;
	mkdirSync(path, { recursive: true });
	madeFolders.add(path);
}
