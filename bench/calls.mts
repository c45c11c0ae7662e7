// What placing calls costs: this package's node in a real n8n (SQLite), beside a bare loop of `fetch`
// that places as many calls at the same parallelism with the same sandbox. The clock of the node is
// n8n's own (the node's execution time). Rounds are interleaved, so that a busy moment of the machine
// hits both alike; medians are shown. Each round has a workflow of its own.
// Run: npm run build && npm run bench:calls [rounds] [calls before the second measurement]
import { loadavg } from 'node:os';
import { CallingN8n, type NodeRun } from './calls/n8n-calls.mts';
import { bareLoop, newDrivers, startService } from './calls/service.mts';

const [rounds = 5, earlier = 5000] = process.argv.slice(2).map(Number);
const PARALLEL = 8;
const FIRST = 800;
const GUARDED = 80;
const CHECKED = 10_000;

const results = new Map<string, number[]>();
const note = (name: string, value: number) => {
	results.set(name, [...(results.get(name) ?? []), value]);
};

const options = { callsInParallel: PARALLEL };
const off = { skipIfCalledWithin: 0, rules: { maxCalls: 20_000 }, options };
const guarded = { ...off, skipIfCalledWithin: 10 };

function placed(run: NodeRun, count: number): number {
	if (run.error === '' && run.items === count) return run.ms;
	throw new Error(`Placed ${run.items} of ${count} calls: ${run.error}`);
}

const services = [await startService(0), await startService(50)];
const n8n = new CallingN8n();
try {
	await n8n.open(services);
	console.error('n8n is ready');
	for (let round = 0; round <= rounds; round++) {
		// The first round warms up.
		if (round === 1) results.clear();
		for (const service of services) {
			const at = `${service.latencyMs} ms`;
			const place = await n8n.workflow(service, off);
			note(`ideal ${at}`, await bareLoop(service, FIRST, PARALLEL));
			note(`first ${at}`, placed(await place(newDrivers(FIRST)), FIRST));
			if (service.latencyMs === 0 && round > 0) {
				placed(await place(newDrivers(earlier)), earlier);
				note('after', placed(await place(newDrivers(FIRST)), FIRST));
			}
			const placeGuarded = await n8n.workflow(service, guarded);
			note(`ideal guarded ${at}`, await bareLoop(service, GUARDED, PARALLEL));
			note(`guarded ${at}`, placed(await placeGuarded(newDrivers(GUARDED)), GUARDED));
		}
		// The last row can't be called: all are checked, and no call is placed.
		const check = await n8n.workflow(services[0] ?? (await startService(0)), off);
		const rows = [...newDrivers(CHECKED - 1), { phone: 'none', load: 'B' }];
		const { ms, longestStallMs, error } = await check(rows);
		if (!error.startsWith('No phone rang.')) throw new Error(`Checking ended with: ${error}`);
		note('checking', ms);
		note('stall', longestStallMs);
		console.error(`Round ${round} of ${rounds} is done`);
	}
} finally {
	await n8n.close();
	for (const service of services) service.stop();
}

const median = (name: string): number =>
	(results.get(name) ?? []).toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ??
	Number.NaN;
const each = (name: string, count = 1, digits = 1): string =>
	(results.get(name) ?? []).map((ms) => (ms / count).toFixed(digits)).join(', ');
const row = (...cells: string[]) => console.log(`| ${cells.join(' | ')} |`);

console.log(
	`Load average ${loadavg()
		.map((load) => load.toFixed(1))
		.join(', ')}`,
);
row('what', 'median', 'goal', 'all rounds', 'ideal');
row('---', '---:', '---:', '---', '---');
const perCall = (name: string) => `${(median(name) / FIRST).toFixed(1)} ms`;
for (const [name, goal] of [
	['first 0 ms', '≤ 5 ms'],
	['after', `≤ 1.2 × the first`],
	['first 50 ms', '≤ 1.2 × ideal'],
] as const) {
	const ideal = name === 'first 50 ms' ? 'ideal 50 ms' : 'ideal 0 ms';
	row(`${name}, a call`, perCall(name), goal, each(name, FIRST), each(ideal, FIRST));
}
for (const at of ['0 ms', '50 ms']) {
	const more = median(`guarded ${at}`) - median(`ideal guarded ${at}`);
	const [all, ideal] = [each(`guarded ${at}`, 1, 0), each(`ideal guarded ${at}`, 1, 0)];
	row(`${GUARDED} guarded calls, ${at}: on top`, `${more.toFixed(0)} ms`, '≤ 2000 ms', all, ideal);
}
const checking = `${(median('checking') / CHECKED).toFixed(2)} ms`;
row('checking, an item', checking, '≤ 0.3 ms', each('checking', CHECKED, 2), '');
row('longest stall', `${median('stall').toFixed(0)} ms`, '≤ 100 ms', each('stall', 1, 0), '');
console.log(
	`After ${earlier} calls / the first: ${(median('after') / median('first 0 ms')).toFixed(2)}`,
);
for (const at of ['0 ms', '50 ms']) {
	console.log(`Node / ideal, ${at}: ${(median(`first ${at}`) / median(`ideal ${at}`)).toFixed(2)}`);
}
