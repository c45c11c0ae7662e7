import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How to run npm: the npm that started this process, else the one on the PATH. */
export function npmCommand(args: string[]): { command: string; args: string[] } {
	const npm = process.env['npm_execpath'];
	if (npm !== undefined && /\.[cm]?js$/.test(npm) && existsSync(npm)) {
		return { command: process.execPath, args: [npm, ...args] };
	}
	return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args };
}

/**
 * This process's environment for an npm that works in another folder: without what the npm that
 * started this process set about its own folder and script.
 */
export function npmEnvironment(): NodeJS.ProcessEnv {
	const entries = Object.entries(process.env).filter(
		([name]) => !/^npm_(package|lifecycle|command|config_local_prefix)|^INIT_CWD$/.test(name),
	);
	return { ...Object.fromEntries(entries), ...nodeHeaders() };
}

/**
 * Where a native module finds Node.js's headers to compile against: those of the Node.js that runs
 * npm, which most installations include. Without this, node-gyp would download them.
 */
function nodeHeaders(): NodeJS.ProcessEnv {
	const set = process.env['npm_config_nodedir'];
	const node = process.env['npm_node_execpath'];
	if (set !== undefined || node === undefined) return {};
	const prefix = dirname(dirname(node));
	return existsSync(join(prefix, 'include', 'node', 'node_api.h'))
		? { npm_config_nodedir: prefix }
		: {};
}
