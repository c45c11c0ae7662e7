import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode, errorMessage, UserError } from '../cli/terminal.mts';

/**
 * Makes sure that only one process at a time uses a folder, with a lock file that holds the process
 * ID. A lock left by a process that is gone is taken over.
 * @param file the lock file
 * @param activity what the holder is doing, for the message: "is running the playground"
 * @returns a function that releases the lock
 * @throws UserError when another process holds the lock
 */
export function acquireLock(file: string, activity: string): () => void {
	for (const attempt of [1, 2]) {
		try {
			writeFileSync(file, String(process.pid), { flag: 'wx' });
			return () => rmSync(file, { force: true });
		} catch (error) {
			if (errorCode(error) !== 'EEXIST' || attempt === 2) throw notWritable(file, error);
			const holder = lockHolder(file);
			if (holder !== undefined) {
				throw new UserError(
					`Process ${holder} ${activity} already. Stop it with Ctrl-C, then try again.`,
				);
			}
			rmSync(file, { force: true });
		}
	}
	throw notWritable(file, 'the file keeps coming back');
}

function notWritable(file: string, error: unknown): UserError {
	return new UserError(`Cannot write ${file} (${errorMessage(error)}). Check who owns the folder.`);
}

/** The ID of the running process that holds the lock, if any. */
function lockHolder(file: string): number | undefined {
	const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN;
	if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return undefined;
	return isPlaygroundProcess(pid) ? pid : undefined;
}

function isPlaygroundProcess(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch (error) {
		return errorCode(error) === 'EPERM';
	}
	// The ID may belong to another program by now. Where the system shows command lines, check.
	const commandLine = `/proc/${pid}/cmdline`;
	if (!existsSync('/proc/self/cmdline')) return true;
	return existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes('start.m');
}
