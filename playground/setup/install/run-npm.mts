import { join } from 'node:path';
import { type Child, exitingWithParent, startChild } from '../../process/child.mts';
import { EXIT_FAILED, UserError } from '../../process/user-error.mts';
import type { Shutdown } from '../../process/shutdown.mts';
import { npmCommand, npmEnvironment } from './npm.mts';

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
 * @throws NpmError when it fails
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
	throw new NpmError(
		`"npm ${args[0]}" failed in ${folder} (${failureReason(child, exit)}). Fix that and try again. Log: ${logFile}`,
		child.lastLines().some((line) => /^npm (error|ERR!) code E4\d\d\b/.test(line)),
	);
}

/** npm failed. */
export class NpmError extends UserError {
	/** Whether the registry refused what npm asked it for: 404, or 403 from some. */
	readonly isRefused: boolean;

	constructor(message: string, isRefused: boolean) {
		super(message, EXIT_FAILED);
		this.isRefused = isRefused;
	}
}

function failureReason(child: Child, exit: string): string {
	const line = child
		.lastLines()
		.find((one) => /^npm (error|ERR!) \S/.test(one) && !/ code | path /.test(one));
	const code = child.lastLines().find((one) => /^npm (error|ERR!) code /.test(one));
	const parts = [code, line].map((one) => one?.replace(/^npm (error|ERR!) /, '').trim());
	return parts.filter(Boolean).join(', ').slice(0, 240) || exit;
}
