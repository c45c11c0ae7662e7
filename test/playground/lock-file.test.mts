import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from '../../playground/process/lock-file.mts';
import { temporaryFolder } from './support/start-command.mts';

// These tests start programs, which takes time on a busy machine.

const folder = temporaryFolder();
const file = join(folder.path, 'running');
afterAll(() => folder.remove());

it('a folder that one process has locked is refused to another', () => {
	const release = acquireLock(file, 'is running the playground');
	expect(existsSync(file)).toBe(true);
	release();
	expect(existsSync(file)).toBe(false);
	acquireLock(file, 'is running the playground')();
});

it('a lock that another process holds is refused with its process ID', async () => {
	const holder = spawn(process.execPath, ['-e', 'process.stdin.resume()', 'playground/start.mjs']);
	await once(holder, 'spawn');
	writeFileSync(file, String(holder.pid));
	const second = () => acquireLock(file, 'is running the playground');
	try {
		expect(second).toThrow(
			`Process ${holder.pid} is running the playground already. Stop it with Ctrl-C, then try again.`,
		);
	} finally {
		holder.kill();
		await once(holder, 'exit');
	}
	acquireLock(file, 'is running the playground')();
});

it.each(['', 'not a number', '0', '-1'])(
	'a lock file that contains %j is taken over',
	(content) => {
		writeFileSync(file, content);
		acquireLock(file, 'is running the playground')();
		expect(existsSync(file)).toBe(false);
	},
);

it('a lock of a process ID that now belongs to another program is taken over', () => {
	writeFileSync(file, '1');
	acquireLock(file, 'is running the playground')();
	expect(existsSync(file)).toBe(false);
});
