// A seeded week of a brokerage, played on a real n8n: how many loads end as they should?
// npm run week -- --loads 1000 --seed 1 [--minutes 15] [--at-least 990]
import { parseArgs } from 'node:util';
import { judge, NEVER, report } from './week/judge.mts';
import { playWeek } from './week/play.mts';

const { values } = parseArgs({
	options: {
		loads: { type: 'string', default: '150' },
		seed: { type: 'string', default: '1' },
		minutes: { type: 'string' },
		burst: { type: 'string' },
		'at-least': { type: 'string', default: '0' },
	},
});
const loads = Number(values.loads);
const minutes = Number(values.minutes ?? Math.max(2, (15 * loads) / 1000));
const print = (line: string) => void process.stdout.write(`${line}\n`);
const { played, burst } = await playWeek({
	...{ loads, seed: Number(values.seed), weekMs: minutes * 60_000, print },
	burst: Number(values.burst ?? Math.min(200, loads * 2)),
});
const verdict = judge(played);
const tries = Object.entries(burst.tries).map(([count, events]) => `${events} at try ${count}`);
print(
	`Burst of ${burst.events}: median ${burst.median} ms, slowest ${burst.slowest} ms (${tries.join(', ')}), handled within ${Math.round(burst.handledMs / 1000)} s`,
);
print(`n8n: health within ${burst.slowestHealthMs} ms, ${burst.mostMemoryMb} MB at most`);
print(`${played.dialed.length} calls, ${played.desk.length} entries at the desk`);
print(report(verdict));
const broken = NEVER.filter((kind) => verdict.failures.has(kind));
process.exitCode = verdict.good >= Number(values['at-least']) && broken.length === 0 ? 0 : 1;
