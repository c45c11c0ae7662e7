import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitingWithParent, startChild } from '../../playground/process/child.mts';
import { isAlive, temporaryFolder, waitUntil } from './support/start-command.mts';

// These tests start programs, which takes time on a busy machine.

const folder = temporaryFolder();
afterAll(() => folder.remove());

const RUNS_FOREVER = 'setInterval(() => undefined, 1000);';
const STARTS_A_CHILD = `
	const { spawn } = require('node:child_process');
	const child = spawn(process.execPath, ['-e', '${RUNS_FOREVER}']);
	console.log('child ' + child.pid);
	${RUNS_FOREVER}`;

function startScript(name: string, script: string, stopWithinMs = 120_000) {
	const file = join(folder.path, `${name}.cjs`);
	writeFileSync(file, script);
	const logFile = join(folder.path, `${name}.log`);
	const child = startChild({
		command: process.execPath,
		args: exitingWithParent([file]),
		cwd: folder.path,
		env: process.env,
		logFile,
		stopWithinMs,
	});
	return { child, logFile };
}

it('a program that is stopped takes everything it started with it', async () => {
	const { child, logFile } = startScript('family', STARTS_A_CHILD);
	await child.printed('child ');
	const grandchild = Number(/child (\d+)/.exec(readFileSync(logFile, 'utf8'))?.[1]);
	expect(isAlive(grandchild)).toBe(true);
	await child.stop();
	await waitUntil(() => !isAlive(grandchild));
	expect(isAlive(child.pid)).toBe(false);
	await child.stop();
});

it('a program that does not stop when asked is killed', async () => {
	const { child } = startScript(
		'stubborn',
		`process.on('SIGTERM', () => 0); console.log('up'); ${RUNS_FOREVER}`,
		500,
	);
	await child.printed('up');
	await child.stop();
	expect(await child.exited).toBe('signal SIGKILL');
});

it('a program that exits is reported with its exit code and last output', async () => {
	const { child } = startScript(
		'failing',
		`console.error('Error: no such table'); process.exit(3);`,
	);
	expect(await child.exited).toBe('exit code 3');
	expect(child.lastLines()).toEqual(['Error: no such table']);
	expect(child.isRunning()).toBe(false);
});

it('a program that could not be started is reported with the reason', async () => {
	const child = startChild({
		command: join(folder.path, 'missing'),
		args: [],
		cwd: folder.path,
		env: {},
		logFile: join(folder.path, 'missing.log'),
	});
	expect(await child.exited).toContain('ENOENT');
	await child.stop();
});

it('a program ends when the process that started it is killed', async () => {
	const starter = join(folder.path, 'starter.mts');
	const logFile = join(folder.path, 'orphan.log');
	const stays = join(folder.path, 'stays.cjs');
	writeFileSync(stays, RUNS_FOREVER);
	writeFileSync(
		starter,
		`import { exitingWithParent, startChild } from ${JSON.stringify(join(__dirname, '../../playground/process/child.mts'))};
		const child = startChild({ command: process.execPath, args: exitingWithParent([${JSON.stringify(stays)}]),
			cwd: '.', env: process.env, logFile: ${JSON.stringify(logFile)} });
		console.log(child.pid);`,
	);
	const parent = spawn(process.execPath, [starter], { stdio: ['ignore', 'pipe', 'inherit'] });
	const pid = await new Promise<number>((resolve) => {
		parent.stdout.once('data', (text: Buffer) => resolve(Number(text.toString())));
	});
	expect(isAlive(pid)).toBe(true);
	parent.kill('SIGKILL');
	await waitUntil(() => !isAlive(pid));
});
