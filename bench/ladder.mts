// The no-answer ladder (examples/jobs/no-answer-ladder.json) in queue mode, with Redis, PostgreSQL, a main
// process and two workers, one of which is killed (SIGKILL) while it places calls. Ends with exit code 1
// if a phone rang twice for one attempt, a load was called too often, or a load did not end exactly once.
// Run: npm run build && npm run bench:ladder [loads]
import { loadavg } from 'node:os';
import { climb } from '../test/queue/support/ladder/climb.mts';
import { Ladder, newLoads, openLadderCluster } from '../test/queue/support/ladder/ladder.mts';

const MOST_CALLS = 3;

const [count = '1000'] = process.argv.slice(2);
const cluster = await openLadderCluster();
try {
	const loads = newLoads(Number(count));
	const ladder = await Ladder.create(cluster, loads, { loadsPerRun: 50, seconds: 5 });
	const end = await climb(cluster, ladder, loads);
	const { calls, seconds, reached, byHand, doubtful, rangTwice, mostCalls, wrong } = end;
	const [load = 0] = loadavg();
	const figures = [count, calls, `${seconds.toFixed(0)} s`, reached, byHand, doubtful.length];
	const bad = [rangTwice.length, mostCalls, wrong.length, load.toFixed(0)];
	console.log(
		'| loads | calls | first to last call | reached | by hand | of these in doubt | rang twice | most calls to a load | ended wrongly | load |',
	);
	console.log(`|${' ---: |'.repeat(10)}`);
	console.log(`| ${[...figures, ...bad].join(' | ')} |`);
	for (const one of [...rangTwice, ...wrong]) console.error(`  ${one}`);
	const isGood = rangTwice.length === 0 && wrong.length === 0 && mostCalls <= MOST_CALLS;
	process.exitCode = isGood ? 0 : 1;
} finally {
	await cluster.close();
}
