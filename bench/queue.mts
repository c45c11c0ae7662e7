// Queue mode under fire: a real n8n (one main process, two workers, two webhook processes) with Redis
// and PostgreSQL takes the events of a TMS and places a check call for each, while something breaks.
// What has no call afterwards is sent again, with some of what has one. Ends with exit code 1 if a phone
// rang twice, or an event was lost without a failed execution.
// Run: npm run build && npm run test:fire [events in each round] [part of a disturbance's name] [finish]
// With "finish", events that were refused because a killed worker may have been calling them are sent
// once more after 20 minutes.
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type Disturbance, DISTURBANCES } from '../test/queue/support/fire/disturbances.mts';
import { openFireCluster } from '../test/queue/support/fire/fire-cluster.mts';
import { finishRound, runRound, type Round } from '../test/queue/support/fire/round.mts';
import { TmsWorkflow } from '../test/queue/support/fire/tms-workflow.mts';
import { restartWhileWaiting } from '../test/queue/support/fire/waiting.mts';

const [count = '1000', only = '', finish = ''] = process.argv.slice(2);

/** A reservation lasts up to twice this long (journalEntries.ts). */
const RESERVED_MS = 10 * 60_000;

const isDisturbance = (name: string): name is Disturbance => name in DISTURBANCES;
const disturbances = Object.keys(DISTURBANCES)
	.filter(isDisturbance)
	.filter((name) => name.includes(only));

function show(round: Round): void {
	const { disturbance, events, perSecond, p50Ms, p99Ms, failed, lost, calledAgain } = round;
	const ms = [p50Ms, p99Ms].map((each) => `${(each / 1000).toFixed(1)} s`);
	const figures = [events.length, perSecond.toFixed(1), ...ms, failed, lost, calledAgain];
	const [load = 0] = loadavg();
	const ends = [round.open.size, round.doubled.length, load.toFixed(0)];
	console.log(`| ${[disturbance, ...figures, ...ends].join(' | ')} |`);
	const reasons = new Map<string, number>();
	for (const reason of round.open.values()) {
		const general = reason.replaceAll(/\+\d+|F\d+-\d+/g, '…');
		reasons.set(general, (reasons.get(general) ?? 0) + 1);
	}
	for (const [reason, times] of reasons) console.error(`  ${times} without a call: ${reason}`);
	if (round.doubled.length > 0) console.error(`  Rang twice: ${round.doubled.join(', ')}`);
}

const { cluster, close } = await openFireCluster();
try {
	const outcomes = await restartWhileWaiting(cluster, 5);
	console.log(
		`\n${outcomes.length} of 5 executions that waited got their outcomes after all restarts.`,
	);
	const workflow = await TmsWorkflow.publish(cluster);
	console.log(
		'| in the middle | events | events/s | p50 | p99 | failed | lost | called again | refused | rang twice | load |',
	);
	console.log(`| --- ${'| ---: '.repeat(10)}|`);
	const rounds: Round[] = [];
	for (const [round, disturbance] of disturbances.entries()) {
		const done = await runRound({ cluster, workflow }, disturbance, {
			round,
			count: Number(count),
		});
		rounds.push(done);
		show(done);
	}
	if (finish !== '') {
		await wait(2 * RESERVED_MS);
		console.log('\nSent once more, 20 minutes later:\n');
		for (const round of rounds) {
			await finishRound({ cluster, workflow }, round);
			show(round);
		}
	}
	const isGood = ({ doubled, lost }: Round) => doubled.length === 0 && lost === 0;
	process.exitCode = rounds.every(isGood) && outcomes.length === 5 ? 0 : 1;
} finally {
	await close();
}
