import { waitUntil } from '../../../support/wait-until.mts';
import type { Cluster } from '../cluster.mts';
import { ANSWERS, type Ladder, type LadderRow, type Load } from './ladder.mts';

/** A worker is killed when so many of the loads have been called. */
const MIDDLE = 0.4;
/** For what takes seconds on an idle machine. */
const LONG = 1_200_000;

/** What became of the loads. */
export interface Climb {
	/** Calls that were placed, and the time from the first to the last of them. */
	calls: number;
	seconds: number;
	reached: number;
	/** Handed to a person, with those whose call the killed worker may have placed. */
	byHand: number;
	doubtful: string[];
	/** "load step" of each attempt that rang more than once. */
	rangTwice: string[];
	/** The most calls to a load. */
	mostCalls: number;
	/** What should not be: loads that ended twice, not at all, or other than they should. */
	wrong: string[];
}

/** Runs the ladder until every load has ended; kills a worker with calls on the way in the middle. */
export async function climb(cluster: Cluster, ladder: Ladder, loads: Load[]): Promise<Climb> {
	const { sandbox } = cluster;
	const { ledger, faults } = sandbox;
	faults.add(
		{ endpoint: 'triggerCheckCall', fault: { kind: 'reset', when: 'after' }, skip: 3 },
		{ endpoint: 'triggerCheckCall', fault: { kind: 'latency', ms: 100 }, times: 'always' },
	);
	await ladder.start();
	const called = () => new Set(ledger.dialed().map(({ loadNumber }) => loadNumber)).size;
	const isMiddle = async () => {
		await sandbox.finishCalls();
		return called() >= MIDDLE * loads.length;
	};
	await waitUntil('the middle of the loads', isMiddle, patience(loads));
	const doubtful = await killWorkerInCall(cluster, ladder);
	const isOver = async () => {
		await sandbox.finishCalls();
		return (await ladder.rows()).every(({ state }) => state === 'reached' || state === 'by hand');
	};
	await waitUntil('the end of all loads', isOver, patience(loads));
	await ladder.stop();
	return { ...figures(cluster), doubtful, ...(await ends(ladder, loads, doubtful)) };
}

const patience = (loads: Load[]) => Math.max(600_000, loads.length * 6_000);

/**
 * Lets a call hang, and kills the worker that waits for its answer. Resolves to the loads that n8n no
 * longer works on when its other runs of that time have ended: what the killed worker had claimed.
 */
async function killWorkerInCall(cluster: Cluster, ladder: Ladder): Promise<string[]> {
	const { ledger, faults } = cluster.sandbox;
	const before = ledger.dialed().length;
	faults.add({ endpoint: 'triggerCheckCall', fault: { kind: 'hang', when: 'after' } });
	const hanging = () => ledger.dialed()[before]?.loadNumber;
	const claimed = async () => (await ladder.rows()).find((row) => row.loadNumber === hanging());
	const isCalling = async () => (await claimed())?.state === 'calling';
	await waitUntil('a call that hangs', isCalling, LONG);
	await cluster.replaceWorkerOf((await claimed())?.claim ?? '');
	const killedAt = new Date();
	const leftOver = async () => {
		const old = (await ladder.rows()).filter((row) => isClaimed(row) && row.changedAt < killedAt);
		const running = await ladder.runningExecutions();
		return { rows: old, isSettled: old.every(({ claim }) => !running.includes(claim)) };
	};
	await waitUntil('the failed runs', async () => (await leftOver()).isSettled, LONG);
	const { rows } = await leftOver();
	await ladder.sweep(killedAt);
	return rows.map(({ loadNumber }) => loadNumber);
}

const isClaimed = ({ state }: LadderRow) => state === 'calling';

function figures({ sandbox }: Cluster) {
	const dialed = sandbox.ledger.dialed();
	const attempts = dialed.map(({ loadNumber, metadata }) => `${loadNumber} ${metadata?.['step']}`);
	const times = dialed.map(({ at }) => Date.parse(at));
	return {
		calls: dialed.length,
		seconds: (Math.max(...times) - Math.min(...times)) / 1000,
		rangTwice: attempts.filter((attempt, index) => attempts.indexOf(attempt) !== index),
		mostCalls: Math.max(...counted(dialed.map(({ loadNumber = '' }) => loadNumber)).values()),
	};
}

async function ends(ladder: Ladder, loads: Load[], doubtful: string[]) {
	const rows = await ladder.rows();
	const byHand = counted(await ladder.byHand());
	const known = new Map(rows.map((row) => [row.loadNumber, row]));
	const wrong = loads.flatMap(({ loadNumber, driverPhone, dispatcherPhone }) => {
		const row = known.get(loadNumber);
		const isDoubtful = doubtful.includes(loadNumber);
		const isReachable = [driverPhone, dispatcherPhone].includes(ANSWERS);
		const expected = isReachable && !isDoubtful ? 'reached' : 'by hand';
		const says = /may have rung/.test(row?.outcome ?? '');
		const handed = byHand.get(loadNumber) ?? 0;
		const isRight = row?.state === expected && says === isDoubtful;
		if (isRight && handed === (expected === 'by hand' ? 1 : 0)) return [];
		return [`${loadNumber}: ${row?.state} (${row?.outcome}), by hand ${handed} times`];
	});
	if (rows.length !== loads.length) wrong.push(`${rows.length} rows for ${loads.length} loads`);
	const count = (state: string) => rows.filter((row) => row.state === state).length;
	return { reached: count('reached'), byHand: count('by hand'), wrong };
}

function counted(names: string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return counts;
}
