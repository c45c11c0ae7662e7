// What placing calls costs: this package's node in a real n8n (SQLite), beside a bare loop of `fetch`
// that places as many calls at the same parallelism with the same sandbox, n8n's own HTTP Request node
// that sends the same requests, a node that does the least a placing node can do in n8n, and one that
// only asks n8n for the values of the same two expressions. The clock of the nodes is n8n's own (a
// node's execution time). Rounds are interleaved, so
// that a busy moment of the machine affects all alike; medians are shown.
// Run: npm run build && npm run bench:calls [rounds] [calls before the second measurement]
import { loadavg } from 'node:os';
import type { JsonObject } from '../playground/n8n/rest.mts';
import { CallingN8n, type NodeRun } from './calls/n8n-calls.mts';
import { checkCalls, httpRequests, leastPlacing, twoExpressions } from './calls/nodes.mts';
import { printCalls } from './calls/results.mts';
import {
	bareLoop,
	dialedBy,
	forget,
	newDrivers,
	startService,
	type Service,
} from './calls/service.mts';

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
/** All parameters are constants, and only the last item can't be called, because of its metadata. */
const constant = { toPhone: '+13125550188', loadNumber: 'B', metadataFrom: 'itemFields' };

function done(run: NodeRun, count: number): number {
	if (run.error === '' && run.items === count) return run.ms;
	throw new Error(`${run.items} of ${count} items succeeded: ${run.error}`);
}

/** Checks items of which the last can't be called, so that no call is placed. */
async function checkItems(
	count: number,
	last: JsonObject,
	parameters: JsonObject,
): Promise<NodeRun> {
	const check = await n8n.workflow(checkCalls(fast, { ...off, ...parameters }));
	const run = await check([...newDrivers(count - 1), last]);
	if (run.error.startsWith('No phone rang.')) return run;
	throw new Error(`Checking ended with: ${run.error}`);
}

async function measureChecking(count: number): Promise<void> {
	const { ms, longestStallMs } = await checkItems(count, { phone: 'none', load: 'B' }, {});
	note('checking', ms / count);
	note('stall', longestStallMs);
	const without = await checkItems(count, { phone: {}, load: 'B' }, constant);
	note('checking without expressions', without.ms / count);
	const evaluate = await n8n.workflow(twoExpressions());
	note('two expressions', done(await evaluate(newDrivers(count)), count) / count);
}

async function measureFirst(service: Service, round: number): Promise<void> {
	const at = `${service.latencyMs} ms`;
	note(`ideal ${at}`, (await bareLoop(service, FIRST, PARALLEL)) / FIRST);
	const request = await n8n.workflow(httpRequests(service, PARALLEL));
	note(`http ${at}`, done(await request(newDrivers(FIRST)), FIRST) / FIRST);
	const least = await n8n.workflow(leastPlacing(service, PARALLEL));
	note(`least ${at}`, done(await least(newDrivers(FIRST)), FIRST) / FIRST);
	const place = await n8n.workflow(checkCalls(service, off));
	await forget(service);
	const run = await place(newDrivers(FIRST));
	note(`first ${at}`, done(run, FIRST) / FIRST);
	const { first, last, count } = await dialedBy(service);
	if (count !== FIRST) throw new Error(`The service received ${count} of ${FIRST} requests`);
	note(`before ${at}`, (first - run.from) / FIRST);
	note(`dialing ${at}`, (last + service.latencyMs - first) / FIRST);
	note(`ending ${at}`, (run.from + run.ms - last - service.latencyMs) / FIRST);
	// So many calls take long, so that every other round has to do.
	if (service !== fast || round % 2 === 0) return;
	done(await place(newDrivers(earlier)), earlier);
	note('after', done(await place(newDrivers(FIRST)), FIRST) / FIRST);
}

async function measureGuarded(service: Service): Promise<void> {
	const place = await n8n.workflow(checkCalls(service, guarded));
	const ideal = await bareLoop(service, GUARDED, PARALLEL);
	note(`guarded ${service.latencyMs} ms`, done(await place(newDrivers(GUARDED)), GUARDED) - ideal);
}

const [fast, slow] = [await startService(0), await startService(50)];
const n8n = new CallingN8n();
try {
	await n8n.open([fast, slow]);
	console.error('n8n is ready');
	for (let round = 0; round <= rounds; round++) {
		// The first round warms up.
		if (round === 1) results.clear();
		for (const service of [fast, slow]) {
			await measureFirst(service, round);
			await measureGuarded(service);
		}
		await measureChecking(round > 0 ? CHECKED : CHECKED / 10);
		console.error(`Round ${round} of ${rounds} is done`);
	}
} finally {
	await n8n.close();
	for (const service of [fast, slow]) service.stop();
}

const load = loadavg().map((each) => each.toFixed(1));
console.log(`Load average ${load.join(', ')}; ${rounds} rounds\n`);
printCalls(results, earlier);
