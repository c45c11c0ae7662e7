import { watch } from 'node:fs';
import { join } from 'node:path';
import { printError, printStep } from '../cli/terminal.mts';
import { errorMessage } from '../process/user-error.mts';
import { build } from './build.mts';
import { updateInstalledPackage } from './community-package.mts';
import { ROOT } from './paths.mts';

const WATCHED = ['nodes', 'credentials', 'icons'];
/** An editor saves several files at once, and some save one file in several steps. */
const QUIET_MS = 200;

/**
 * Rebuilds the package whenever a source changes and copies it to a running n8n, which reloads it
 * (n8n 2.41: N8N_DEV_RELOAD). A build that fails is reported, and n8n keeps the last good one.
 * @returns a function that stops watching
 */
export function rebuildOnChange(userFolder: string): () => void {
	let timer: NodeJS.Timeout | undefined;
	let queue = Promise.resolve();
	const onChange = () => {
		clearTimeout(timer);
		timer = setTimeout(() => (queue = queue.then(() => rebuild(userFolder))), QUIET_MS);
	};
	const watchers = WATCHED.map((folder) =>
		watch(join(ROOT, folder), { recursive: true }, onChange),
	);
	return () => {
		clearTimeout(timer);
		for (const watcher of watchers) watcher.close();
	};
}

async function rebuild(userFolder: string): Promise<void> {
	try {
		printStep('A source changed: building the package');
		await build();
		const changed = updateInstalledPackage(ROOT, userFolder);
		printStep(changed === 0 ? 'The build is the same' : `n8n reloads ${changed} changed files`);
	} catch (error) {
		printError(errorMessage(error));
	}
}
