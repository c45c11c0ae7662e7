// How long it takes to read 100,000 calls in pages of 500, at 50 ms per page: this package's node,
// n8n's HTTP Request node with Split Out, and plain loops of fetch, each in its own process. The
// runs are interleaved, so that other load on the machine affects all alike. Medians are shown.
// Run: npm run build && npm run bench [rounds] [calls]. n8n's own nodes are loaded from playground/
// (filled by npm start) or from N8N_DIRECTORY.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tokens } from '../sandbox/service/tokens.mts';
import type { Measured } from './lists/run-once.mts';

const [rounds = 5, calls = 100_000] = process.argv.slice(2).map(Number);
const LATENCY_MS = 50;
const root = join(import.meta.dirname, '..');
const n8n = join(process.env['N8N_DIRECTORY'] ?? join(root, 'playground'), 'package.json');
const hasHttpRequest = existsSync(join(n8n, '../node_modules/n8n-nodes-base'));

const readers = [
	...(hasHttpRequest ? ['http'] : []),
	'node-4',
	'bare-4',
	'helper-4',
	'node-8',
	'bare-8',
	'helper-8',
	'node-4-simplified',
	'bare-1',
];

const sandbox = spawn(
	process.execPath,
	['sandbox/main.mts', '--port=0', `--calls=${calls}`, `--latency=${LATENCY_MS}`],
	{ cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);
const baseUrl = await new Promise<string>((resolve, reject) => {
	sandbox.on('exit', (code) => reject(new Error(`The sandbox ended with ${code}`)));
	sandbox.stdout.on('data', (chunk: Buffer) => {
		const url = /http:\S+/.exec(String(chunk))?.[0];
		if (url) resolve(url);
	});
});

async function once(reader: string): Promise<Measured> {
	const args = ['--expose-gc', '--max-old-space-size=4096', 'bench/lists/run-once.mts'];
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[...args, reader, baseUrl, tokens.north, n8n],
		{ cwd: root, maxBuffer: 1024 * 1024 },
	);
	const measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
	if (measured.rows !== calls) throw new Error(`${reader} read ${measured.rows} of ${calls} calls`);
	return measured;
}

const middle = (numbers: number[]): number =>
	numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const results = new Map<string, Measured[]>(readers.map((reader) => [reader, []]));
try {
	// The sandbox generates its records on the first read, which isn't part of the measurement.
	await once('bare-8');
	for (let round = 1; round <= rounds; round++) {
		for (const reader of readers) results.get(reader)?.push(await once(reader));
		console.error(`Round ${round} of ${rounds} is done`);
	}
} finally {
	sandbox.removeAllListeners('exit');
	sandbox.kill();
}

const median = (reader: string, key: keyof Measured): number =>
	middle((results.get(reader) ?? []).map((measured) => measured[key]));
const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;

console.log(row(['reader', 'median', 'all runs (s)', 'peak RSS', 'peak heap above start', 'kept']));
console.log(row(['---', '---:', '---', '---:', '---:', '---:']));
for (const reader of readers) {
	const times = (results.get(reader) ?? []).map(({ ms }) => (ms / 1000).toFixed(2));
	const mb = (key: keyof Measured): string => `${median(reader, key).toFixed(0)} MB`;
	const seconds = `${(median(reader, 'ms') / 1000).toFixed(2)} s`;
	console.log(row([reader, seconds, times.join(', '), mb('rssMb'), mb('heapMb'), mb('keptMb')]));
}

const ratio = (one: string, other: string, key: keyof Measured = 'ms'): string =>
	(median(one, key) / median(other, key)).toFixed(2);
if (hasHttpRequest) {
	console.log(`HTTP Request / this node, 4 in parallel (the default): ${ratio('http', 'node-4')}`);
	console.log(
		`HTTP Request / the same with Output: Simplified: ${ratio('http', 'node-4-simplified')}`,
	);
	console.log(`HTTP Request / this node, 8 in parallel: ${ratio('http', 'node-8')}`);
} else {
	console.log('n8n is not installed in playground/: HTTP Request was left out');
}
for (const parallel of [4, 8]) {
	const pair = [`node-${parallel}`, `bare-${parallel}`] as const;
	console.log(
		`A loop of n8n's request helper / bare loop, ${parallel} in parallel: time ${ratio(`helper-${parallel}`, `bare-${parallel}`)}`,
	);
	console.log(
		`This node / bare loop, ${parallel} in parallel: time ${ratio(...pair)}, peak RSS ${ratio(...pair, 'rssMb')}, peak heap ${ratio(...pair, 'heapMb')}, kept ${ratio(...pair, 'keptMb')}`,
	);
}
