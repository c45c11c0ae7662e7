import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * n8n loads this file before it listens. It writes down each turn of n8n's event loop that took more
 * than a tenth of a second of its thread's CPU time, which other programs on the machine don't change.
 */
const HOOK = (file: string) => `
const { appendFileSync } = require('node:fs');
let last = process.threadCpuUsage();
setInterval(() => {
	const { user, system } = process.threadCpuUsage(last);
	const cpuMs = (user + system) / 1000;
	if (cpuMs > 100) appendFileSync(${JSON.stringify(file)}, Date.now() + ' ' + cpuMs + '\\n');
	last = process.threadCpuUsage();
}, 5).unref();
module.exports = {};
`;

/** A hook file for n8n (EXTERNAL_HOOK_FILES), and the turns that it has written down. */
export function createBlockHook() {
	const folder = mkdtempSync(join(tmpdir(), 'block-hook-'));
	const [file, turns] = [join(folder, 'hook.js'), join(folder, 'turns')];
	writeFileSync(turns, '');
	writeFileSync(file, HOOK(turns));
	/** CPU time of each long turn since then, in milliseconds, the longest first. */
	const turnsSince = (time: number) =>
		readFileSync(turns, 'utf8')
			.split('\n')
			.map((line) => line.split(' ').map(Number))
			.flatMap(([at = 0, cpuMs = 0]) => (at >= time && cpuMs > 0 ? [Math.round(cpuMs)] : []))
			.sort((one, other) => other - one);
	return { file, turnsSince, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

interface Health {
	n8n: number;
	baseline: number;
}

/** Asks n8n for its health until it is stopped. */
export function watchHealth(url: string) {
	const times: Health[] = [];
	const child = fork(join(import.meta.dirname, 'health-probe.mts'), [url], { execArgv: [] });
	child.on('message', (time: Health) => times.push(time));
	const stop = async () => {
		const exited = new Promise((done) => child.once('exit', done));
		child.disconnect();
		await exited;
		return times;
	};
	return { stop };
}
