// A seeded week of a brokerage, played on a real n8n: how many loads end as they should?
// npm run week -- --loads 1000 --seed 1 [--minutes 15] [--at-least 990] [--evidence file.json]
// --planted plants faults in the workflows; then it fails unless the judge finds each of them.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FAULTS } from './week/faults.mts';
import { DESK_PER_NEEDLESS, judge, NEVER, report } from './week/judge.mts';
import { playWeek } from './week/play.mts';

const { values } = parseArgs({
	options: {
		loads: { type: 'string', default: '150' },
		seed: { type: 'string', default: '1' },
		minutes: { type: 'string' },
		burst: { type: 'string' },
		'at-least': { type: 'string', default: '0' },
		evidence: { type: 'string' },
		planted: { type: 'boolean', default: false },
	},
});
const loads = Number(values.loads);
const minutes = Number(values.minutes ?? Math.max(2.5, (15 * loads) / 1000));
const print = (line: string) => void process.stdout.write(`${line}\n`);
const { played, burst, events } = await playWeek({
	...{ loads, seed: Number(values.seed), weekMs: minutes * 60_000, print },
	planted: values.planted,
	burst: Number(values.burst ?? Math.min(200, loads * 2)),
});
const verdict = judge(played);
const tries = Object.entries(burst.tries).map(([count, events]) => `${events} at try ${count}`);
print(
	`Burst of ${burst.events}: median ${burst.median} ms, slowest ${burst.slowest} ms (${tries.join(', ')}), handled within ${Math.round(burst.handledMs / 1000)} s`,
);
const { slow, asked } = burst.health;
print(
	`n8n: health within ${burst.slowestHealthMs} ms, over 500 ms ${slow.length} of ${asked} times (${slow.slice(0, 5).join(', ')}), ${burst.mostMemoryMb} MB at most`,
);
print(`${played.dialed.length} calls, ${played.desk.length} entries at the desk`);
for (const failed of played.failed.slice(0, 3)) print(`Failed: ${failed}`);
print(report(verdict));
for (const load of badLoads().slice(0, 5)) print(`${load}: ${decisions(load)}`);
if (values.evidence !== undefined) writeEvidence(values.evidence);
const broken = NEVER.filter((kind) => verdict.failures.has(kind));
const isDeskFull = verdict.needless * DESK_PER_NEEDLESS > played.desk.length;
const isGood = verdict.good >= Number(values['at-least']) && broken.length === 0 && !isDeskFull;
const missed = FAULTS.filter(({ kind }) => !verdict.failures.has(kind));
if (values.planted) {
	for (const { kind, node } of missed) print(`The judge missed the fault in "${node}": ${kind}`);
	print(`The judge found ${FAULTS.length - missed.length} of ${FAULTS.length} planted faults`);
}
process.exitCode = (values.planted ? missed.length === 0 : isGood) ? 0 : 1;

/** The loads that did not end as they should. */
function badLoads(): string[] {
	const texts = [...verdict.failures.values()].flat();
	return [...new Set(texts.map((text) => text.split(' ')[0] ?? ''))];
}

function isAbout(load: string): (row: object) => boolean {
	return (row) =>
		Object.entries(row).some(([name, value]) => /^load/.test(name) && String(value).endsWith(load));
}

/** What became of each event of a load, as the office sees it. */
function decisions(load: string): string {
	const own = events.filter(isAbout(load));
	return own.map(({ event, state, reason }) => `${event} ${state} (${reason})`).join('; ');
}

/** All that is known of the loads that did not end as they should. */
function writeEvidence(file: string): void {
	const loads = badLoads().map((number) => {
		const isOurs = isAbout(number);
		const calls = played.dialed.filter(isOurs);
		return {
			load: played.loads.find((one) => one.number === number),
			...{ departedAt: timeOf(played.departedAt, number), endedAt: timeOf(played.endedAt, number) },
			...{ calls, truths: calls.map(({ callId }) => played.truths.get(callId)) },
			optedOut: calls.map(({ toPhone }) => timeOf(played.optedOutAt, toPhone.split(';')[0])),
			events: events.filter(isOurs),
			outcomes: played.outcomes.filter(isOurs),
			desk: played.desk.filter(isOurs),
		};
	});
	const failures = Object.fromEntries(verdict.failures);
	const { failed, rounds } = played;
	writeFileSync(file, JSON.stringify({ failures, failed, loads, rounds }, undefined, '\t'));
}

function timeOf(times: ReadonlyMap<string, number>, key = ''): string | undefined {
	const time = times.get(key);
	return time === undefined ? undefined : new Date(time).toISOString();
}
