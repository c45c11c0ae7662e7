import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf, Problem, textOf } from './problem.mts';

/**
 * Makes sure that only one process at a time works in a folder, with a file that holds the process's
 * id. The file of a process that is gone is taken over.
 * @param file where the id is kept
 * @param doing what the holder does, for the message to the second one: "runs the playground"
 * @returns a function that gives the place back
 * @throws Problem when another process holds it
 */
export function holdAlone(file: string, doing: string): () => void {
	for (const attempt of [1, 2]) {
		try {
			writeFileSync(file, String(process.pid), { flag: 'wx' });
			return () => rmSync(file, { force: true });
		} catch (error) {
			if (codeOf(error) !== 'EEXIST' || attempt === 2) {
				throw new Problem(`${file} cannot be written (${textOf(error)}): check the folder's owner`);
			}
			const holder = holderOf(file);
			if (holder !== undefined) {
				throw new Problem(
					`Process ${holder} already ${doing}: stop it with Ctrl-C, then start again`,
				);
			}
			rmSync(file, { force: true });
		}
	}
	throw new Problem(`${file} cannot be written: check the folder's owner`);
}

/** The process that holds the place, or undefined when there is none or it is gone. */
function holderOf(file: string): number | undefined {
	const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN;
	if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return undefined;
	return isOurs(pid) ? pid : undefined;
}

function isOurs(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch (error) {
		return codeOf(error) === 'EPERM';
	}
	// A number may by now belong to another program: where the system tells its command line, look.
	const commandLine = `/proc/${pid}/cmdline`;
	if (!existsSync('/proc/self/cmdline')) return true;
	return existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes('start.m');
}
