import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { printStep } from '../../cli/terminal.mts';
import type { Shutdown } from '../../process/shutdown.mts';
import { errorMessage } from '../../process/user-error.mts';
import { type Lockfile, packagesToUnpack } from './lockfile.mts';
import { registryOf, runNpm } from './run-npm.mts';
import type { UnpackOrder } from './unpack-packages.mts';

const QUIET = ['--no-audit', '--no-fund', '--loglevel=warn'];
/** More workers wait for the disk and the registry. */
const MOST_WORKERS = 4;

/**
 * Installs the packages of a folder's lockfile where npm would, without running their scripts. npm takes
 * three times as long, and only gets those that can't be downloaded like this: from a registry that
 * wants a login, through a proxy that only npm's settings name, or from other addresses than usual.
 * @throws UserError when npm fails, too
 */
export async function installPackages(folder: string, packages: Lockfile, shutdown: Shutdown) {
	try {
		const { url, cafile } = await registryOf(folder);
		await unpackAll({ folder, cafile, packages: packagesToUnpack(packages, url) });
	} catch (error) {
		if (shutdown.started) throw error;
		printStep(`npm installs n8n, which takes minutes longer (${errorMessage(error)})`);
		// npm takes a half-written package folder for a complete one.
		rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
		const flags = ['--ignore-scripts', '--no-bin-links', '--legacy-peer-deps', '--no-save'];
		await runNpm({ folder, args: ['install', ...flags, ...QUIET], shutdown });
	}
}

async function unpackAll(what: Omit<UnpackOrder, 'next'>): Promise<void> {
	const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	const order: UnpackOrder = { ...what, next };
	const count = Math.min(availableParallelism(), MOST_WORKERS);
	const workers = Array.from({ length: count }, () => startWorker(order));
	try {
		await Promise.all(workers.map(ended));
	} finally {
		await Promise.all(workers.map((worker) => worker.terminate()));
	}
}

function startWorker(workerData: UnpackOrder): Worker {
	return new Worker(join(import.meta.dirname, 'unpack-packages.mts'), { workerData });
}

function ended(worker: Worker): Promise<void> {
	return new Promise((resolve, reject) => {
		// A copy that came from the worker doesn't count as an error here.
		worker.once('error', ({ message }: Error) => reject(new Error(message)));
		worker.once('exit', (code) => {
			if (code === 0) resolve();
			else reject(new Error(`unpacking ended with exit code ${code}`));
		});
	});
}
