// One run of a reader in its own process: prints time and peak memory as one line of JSON.
import { PerformanceObserver } from 'node:perf_hooks';
import { bareReader, helperReader } from './loops.mts';
import { httpRequestReader, nodeReader, type Read } from './readers.mts';

export interface Measured {
	ms: number;
	/** What the process computed meanwhile, which a busy machine changes less. */
	cpuMs: number;
	/** How long the main thread stood still for garbage collections. */
	gcMs: number;
	rows: number;
	/** Peak of the whole process, n8n-core included. */
	rssMb: number;
	/** Peak of the JavaScript heap and external memory, above the start of the run. */
	heapMb: number;
	/** What remains of that after a garbage collection, while the result is still referenced. */
	keptMb: number;
}

const MB = 1024 * 1024;
const [reader = '', baseUrl = '', token = '', n8n = ''] = process.argv.slice(2);
const service = { baseUrl, token };

const readers: Record<string, () => Promise<Read>> = {
	'node-4': () => nodeReader(service, undefined, 'all'),
	'node-1': () => nodeReader(service, 1, 'all'),
	'node-8': () => nodeReader(service, 8, 'all'),
	// The same reader without what makes lists complete.
	'trusting-4': () => nodeReader(service, undefined, 'all', { trusting: true }),
	'bids-4': () => nodeReader(service, undefined, 'all', { resource: 'bid' }),
	'trusting-bids-4': () =>
		nodeReader(service, undefined, 'all', { resource: 'bid', trusting: true }),
	'node-4-simplified': () => nodeReader(service, undefined, 'simplified'),
	http: () => httpRequestReader(service, n8n),
	'bare-1': () => bareReader(service, 1),
	'bare-4': () => bareReader(service, 4),
	'bare-8': () => bareReader(service, 8),
	'helper-4': () => helperReader(service, 4),
	'helper-8': () => helperReader(service, 8),
};

const used = (): number => {
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
};

const prepare = readers[reader];
if (!prepare) throw new Error(`There is no reader "${reader}"`);
const read = await prepare();
globalThis.gc?.();
const before = used();
let peak = before;
const watch = setInterval(() => {
	peak = Math.max(peak, used());
}, 25);
let gcMs = 0;
const collections = new PerformanceObserver((list) => {
	for (const { duration } of list.getEntries()) gcMs += duration;
});
collections.observe({ entryTypes: ['gc'] });
const startedCpu = process.cpuUsage();
const started = performance.now();
const rows = await read();
const ms = performance.now() - started;
const cpu = process.cpuUsage(startedCpu);
clearInterval(watch);
peak = Math.max(peak, used());
for (const { duration } of collections.takeRecords()) gcMs += duration;
collections.disconnect();
const rssMb = process.resourceUsage().maxRSS / 1024;
globalThis.gc?.();
const measured: Measured = {
	ms,
	cpuMs: (cpu.user + cpu.system) / 1000,
	gcMs,
	rows: rows.length,
	rssMb,
	heapMb: (peak - before) / MB,
	keptMb: (used() - before) / MB,
};
process.stdout.write(`${JSON.stringify(measured)}\n`);
process.exit(0);
