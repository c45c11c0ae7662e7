// How long it takes to read 100,000 calls in pages of 500, at 50 ms per page: this package's node, the
// same without what makes its lists complete, n8n's HTTP Request node with Split Out, and plain loops,
// each in its own process. The runs are interleaved, so that other load on the machine affects all
// alike. Medians are shown. Then, how time and memory grow for ten times as many calls and bids.
// Run: npm run build && npm run bench [rounds] [calls]. n8n's own nodes are loaded from playground/
// (filled by npm start) or from N8N_DIRECTORY.
import { measureGrowth } from './lists/growth.mts';
import { hasHttpRequest, medianOf, row, runOnce, withSandbox } from './lists/service.mts';
import type { Measured } from './lists/run-once.mts';

const [rounds = 5, calls = 100_000] = process.argv.slice(2).map(Number);
const LATENCY_MS = 50;

const readers = [
	...(hasHttpRequest ? ['http'] : []),
	'node-4',
	'unchecked-4',
	'bare-4',
	'helper-4',
	'node-8',
	'bare-8',
	'helper-8',
	'node-4-simplified',
	'bare-1',
];

const results = new Map<string, Measured[]>(readers.map((reader) => [reader, []]));
await withSandbox(calls, LATENCY_MS, async (baseUrl) => {
	const once = async (reader: string): Promise<Measured> => {
		const measured = await runOnce(reader, baseUrl);
		if (measured.rows !== calls)
			throw new Error(`${reader} read ${measured.rows} of ${calls} calls`);
		return measured;
	};
	// The sandbox generates its records on the first read, which isn't part of the measurement.
	await once('bare-8');
	for (let round = 1; round <= rounds; round++) {
		for (const reader of readers) results.get(reader)?.push(await once(reader));
		console.error(`Round ${round} of ${rounds} is done`);
	}
});

const median = (reader: string, key: keyof Measured): number =>
	medianOf(results.get(reader) ?? [], key);

const heads = ['reader', 'median', 'all runs (s)', 'CPU', 'peak RSS', 'peak heap above start'];
console.log(row(heads));
console.log(row(['---', '---:', '---', '---:', '---:', '---:']));
for (const reader of readers) {
	const times = (results.get(reader) ?? []).map(({ ms }) => (ms / 1000).toFixed(2));
	const mb = (key: keyof Measured): string => `${median(reader, key).toFixed(0)} MB`;
	const seconds = (key: keyof Measured): string => `${(median(reader, key) / 1000).toFixed(2)} s`;
	const cells = [seconds('ms'), times.join(', '), seconds('cpuMs'), mb('rssMb'), mb('heapMb')];
	console.log(row([reader, ...cells]));
}

const ratio = (one: string, other: string, key: keyof Measured = 'ms'): string =>
	(median(one, key) / median(other, key)).toFixed(3);
if (hasHttpRequest) {
	console.log(`HTTP Request / this node, 4 in parallel (the default): ${ratio('http', 'node-4')}`);
	console.log(
		`HTTP Request / the same with Output: Simplified: ${ratio('http', 'node-4-simplified')}`,
	);
	console.log(`HTTP Request / this node, 8 in parallel: ${ratio('http', 'node-8')}`);
} else {
	console.log('n8n is not installed in playground/: HTTP Request was left out');
}
console.log(
	`This node / the same without overlap, 4 in parallel: time ${ratio('node-4', 'unchecked-4')}, CPU ${ratio('node-4', 'unchecked-4', 'cpuMs')}, peak heap ${ratio('node-4', 'unchecked-4', 'heapMb')}`,
);
for (const parallel of [4, 8]) {
	const pair = [`node-${parallel}`, `bare-${parallel}`] as const;
	console.log(
		`A loop of n8n's request helper / bare loop, ${parallel} in parallel: time ${ratio(`helper-${parallel}`, `bare-${parallel}`)}`,
	);
	console.log(
		`This node / bare loop, ${parallel} in parallel: time ${ratio(...pair)}, peak RSS ${ratio(...pair, 'rssMb')}, peak heap ${ratio(...pair, 'heapMb')}, kept ${ratio(...pair, 'keptMb')}`,
	);
}

await measureGrowth(Math.min(rounds, 3), calls);
