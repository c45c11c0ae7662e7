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
	const [file, written] = [join(folder, 'hook.js'), join(folder, 'turns')];
	writeFileSync(written, '');
	writeFileSync(file, HOOK(written));
	/** When each long turn ended, and its CPU time. */
	const turns = () =>
		readFileSync(written, 'utf8')
			.trim()
			.split('\n')
			.map((line) => line.split(' ').map(Number))
			.map(([at = 0, cpuMs = 0]) => [at, cpuMs] as const);
	/** CPU time of each long turn since then, in milliseconds, the longest first. */
	const turnsSince = (time: number) =>
		turns()
			.flatMap(([at, cpuMs]) => (at >= time ? [Math.round(cpuMs)] : []))
			.sort((one, other) => other - one);
	/** CPU time of the long turns that ended in that time. */
	const cpuBetween = (from: number, to: number) =>
		turns().reduce((sum, [at, cpuMs]) => sum + (at >= from && at <= to ? cpuMs : 0), 0);
	const remove = () => rmSync(folder, { recursive: true, force: true });
	return { file, turnsSince, cpuBetween, remove };
}

interface Health {
	n8n: number;
	baseline: number;
	/** When n8n had answered. */
	at: number;
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
