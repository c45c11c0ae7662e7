import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tokens } from '../../sandbox/service/tokens.mts';
import type { Measured } from './run-once.mts';

const root = join(import.meta.dirname, '../..');
const n8n = join(process.env['N8N_DIRECTORY'] ?? join(root, 'playground'), 'package.json');

/** Whether n8n's own nodes are there to compare with. */
export const hasHttpRequest = existsSync(join(n8n, '../node_modules/n8n-nodes-base'));

/** Does something with a sandbox of so many calls, in a process of its own, that answers after so long. */
export async function withSandbox<Result>(
	calls: number,
	latencyMs: number,
	use: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
	const sandbox = spawn(
		process.execPath,
		['sandbox/main.mts', '--port=0', `--calls=${calls}`, `--latency=${latencyMs}`],
		{ cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
	);
	try {
		const baseUrl = await new Promise<string>((resolve, reject) => {
			sandbox.on('exit', (code) => reject(new Error(`The sandbox ended with ${code}`)));
			sandbox.stdout.on('data', (chunk: Buffer) => {
				const url = /http:\S+/.exec(String(chunk))?.[0];
				if (url) resolve(url);
			});
		});
		return await use(baseUrl);
	} finally {
		sandbox.removeAllListeners('exit');
		sandbox.kill();
	}
}

/** Runs one reader once, in a process of its own. */
export async function runOnce(reader: string, baseUrl: string): Promise<Measured> {
	const args = ['--expose-gc', '--max-old-space-size=12288', 'bench/lists/run-once.mts'];
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[...args, reader, baseUrl, tokens.north, n8n],
		{ cwd: root, maxBuffer: 1024 * 1024 },
	);
	return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
}

/** The middle of a figure over all runs. */
export function medianOf(runs: Measured[], key: keyof Measured): number {
	const sorted = runs.map((run) => run[key]).toSorted((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A row of a table in Markdown. */
export const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;
