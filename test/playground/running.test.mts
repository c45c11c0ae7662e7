import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdAlone } from '../../playground/process/single-instance.mts';
import { temporaryFolder } from './support/start-command.mts';

// Programs are started: on a busy machine that takes its time.
jest.setTimeout(60_000);

const folder = temporaryFolder();
const file = join(folder.path, 'running');
afterAll(() => folder.remove());

it('lets one process at a time into a folder, and the next one after it', () => {
	const release = holdAlone(file, 'runs the playground');
	expect(existsSync(file)).toBe(true);
	release();
	expect(existsSync(file)).toBe(false);
	holdAlone(file, 'runs the playground')();
});

it('names the process that holds the folder', async () => {
	const holder = spawn(process.execPath, ['-e', 'process.stdin.resume()', 'playground/start.mjs']);
	await once(holder, 'spawn');
	writeFileSync(file, String(holder.pid));
	const second = () => holdAlone(file, 'runs the playground');
	try {
		expect(second).toThrow(
			`Process ${holder.pid} already runs the playground: stop it with Ctrl-C, then start again`,
		);
	} finally {
		holder.kill();
		await once(holder, 'exit');
	}
	holdAlone(file, 'runs the playground')();
});

it.each(['', 'not a number', '0', '-1'])('takes over from a file that holds %j', (content) => {
	writeFileSync(file, content);
	holdAlone(file, 'runs the playground')();
	expect(existsSync(file)).toBe(false);
});

it('takes over from a number that belongs to another program by now', () => {
	writeFileSync(file, '1');
	holdAlone(file, 'runs the playground')();
	expect(existsSync(file)).toBe(false);
});
