import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EXIT_FAILED, type Shutdown, UserError } from '../../cli/terminal.mts';
import { type Child, exitingWithParent, startChild } from '../../process/child.mts';

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

export interface NpmRun {
	/** Where npm runs, and where its output goes, in install.log. */
	folder: string;
	args: string[];
	shutdown: Shutdown;
	/** More variables for npm and the scripts it runs. */
	env?: Record<string, string>;
}

/**
 * Runs npm to its end.
 * @throws UserError when it fails
 */
export async function runNpm({ folder, args, shutdown, env }: NpmRun): Promise<void> {
	const npm = npmCommand(args);
	const logFile = join(folder, 'install.log');
	const child = startChild({
		command: npm.command,
		args: npm.command === process.execPath ? exitingWithParent(npm.args) : npm.args,
		cwd: folder,
		env: { ...npmEnvironment(), ...env },
		logFile,
	});
	shutdown.add(child.stop);
	const exit = await child.exited;
	if (exit === 'exit code 0') return;
	throw new UserError(
		`"npm ${args[0]}" failed in ${folder} (${failureReason(child, exit)}). Fix that and try again. Log: ${logFile}`,
		EXIT_FAILED,
	);
}

/** Where npm gets packages from. */
interface Registry {
	/** With a slash at the end. */
	url: string;
	/** File with the certificates to trust next to Node.js's own; empty if npm has none. */
	cafile: string;
}

/** The registry that npm uses in a folder. */
export async function registryOf(folder: string): Promise<Registry> {
	const { command, args } = npmCommand(['config', 'get', 'registry', 'cafile']);
	const options = { cwd: folder, env: npmEnvironment() };
	const { stdout } = await promisify(execFile)(command, args, options);
	const setting = (name: string) =>
		new RegExp(`^${name}=(.*)$`, 'm').exec(stdout)?.[1]?.trim() ?? '';
	const cafile = setting('cafile');
	const url = `${setting('registry').replace(/\/+$/, '')}/`;
	return { url, cafile: existsSync(cafile) ? cafile : '' };
}

function failureReason(child: Child, exit: string): string {
	const line = child
		.lastLines()
		.find((one) => /^npm (error|ERR!) \S/.test(one) && !/ code | path /.test(one));
	const code = child.lastLines().find((one) => /^npm (error|ERR!) code /.test(one));
	const parts = [code, line].map((one) => one?.replace(/^npm (error|ERR!) /, '').trim());
	return parts.filter(Boolean).join(', ').slice(0, 240) || exit;
}
