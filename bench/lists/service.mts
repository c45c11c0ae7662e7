import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Traffic } from './plain-service.mts';
import type { Measured } from './run-once.mts';

/** What the reader's process saw, and what the service did. */
export type Run = Measured & Traffic;

/** Which rows a reader reads, and how long the service takes for a page of them. */
export interface Task {
	reader: string;
	rows: number;
	latencyMs: number;
}

const root = join(import.meta.dirname, '../..');
const n8n = join(process.env['N8N_DIRECTORY'] ?? join(root, 'playground'), 'package.json');

/** Whether n8n's own nodes are there to compare with. */
export const hasHttpRequest = existsSync(join(n8n, '../node_modules/n8n-nodes-base'));

/** Does something with a service of so many calls and bids, in a process of its own. */
export async function withService<Result>(
	rows: number,
	use: (url: string) => Promise<Result>,
): Promise<Result> {
	const service = spawn(process.execPath, ['bench/lists/plain-service.mts', String(rows)], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	try {
		const url = await new Promise<string>((resolve, reject) => {
			service.on('exit', (code) => reject(new Error(`The service ended with ${code}`)));
			service.stdout.on('data', (chunk: Buffer) => resolve(String(chunk).trim()));
		});
		return await use(url);
	} finally {
		service.removeAllListeners('exit');
		service.kill();
	}
}

/** Runs one reader once, in a process of its own. */
export async function runOnce(url: string, { reader, rows, latencyMs }: Task): Promise<Run> {
	await trafficOf(url);
	const args = ['--expose-gc', '--max-old-space-size=12288', 'bench/lists/run-once.mts'];
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[...args, reader, `${url}/${rows}/${latencyMs}`, 'token', n8n],
		{ cwd: root, maxBuffer: 1024 * 1024 },
	);
	const measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
	if (measured.rows !== rows) throw new Error(`${reader} read ${measured.rows} of ${rows} rows`);
	return { ...measured, ...(await trafficOf(url)) };
}

async function trafficOf(url: string): Promise<Traffic> {
	return (await (await fetch(`${url}/traffic`)).json()) as Traffic;
}
