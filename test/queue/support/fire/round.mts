import { waitUntil } from '../../../support/wait-until.mts';
import type { Cluster } from '../cluster.mts';
import { type Disturbance, DISTURBANCES } from './disturbances.mts';
import { newEvents, sendEvents, type TmsEvent } from './events.mts';
import type { TmsWorkflow } from './tms-workflow.mts';

/** The disturbance begins when so many of the events have their call. */
const MIDDLE = 0.4;

/** So many of the events that have their call are sent again, beside all that have none. */
const SENT_AGAIN = 20;

/** What became of a round's events. */
export interface Round {
	disturbance: Disturbance;
	events: TmsEvent[];
	/** Calls, from the first event sent to the last call placed. */
	perSecond: number;
	/** From the first attempt to send an event to its call, in milliseconds. */
	p50Ms: number;
	p99Ms: number;
	/** Executions that failed, and those among them whose data n8n lost with the worker. */
	failed: number;
	withoutData: number;
	/** Events without a call and without a failed execution; those without data may be any event's. */
	lost: number;
	/** Events that only the second pass called. */
	calledAgain: number;
	/** Events without a call after the second pass, with the error of their last execution. */
	open: Map<TmsEvent, string>;
	/** Numbers that rang more than once. */
	doubled: string[];
}

/**
 * Sends events through the webhook processes, the queue and the workers; disturbs them in the middle;
 * then sends again what has no call, and some of what has one.
 */
export async function runRound(
	{ cluster, workflow }: { cluster: Cluster; workflow: TmsWorkflow },
	disturbance: Disturbance,
	{ round, count }: { round: number; count: number },
): Promise<Round> {
	const events = newEvents(round, count);
	const before = (await workflow.executions()).length;
	const middle = disturbInTheMiddle(cluster, disturbance, events);
	await sendEvents(events, () => workflow.urls());
	await middle;
	await workflow.whenQuiet();
	const times = timesOf(cluster, events);
	const failures = (await workflow.executions())
		.slice(before)
		.filter(({ status }) => status !== 'success');
	const uncalled = events.filter((event) => callsTo(cluster, event) === 0);
	const failedLoads = new Set(failures.map(({ load }) => load));
	const unexplained = uncalled.filter(({ load }) => !failedLoads.has(load)).length;
	const withoutData = failures.filter(({ load }) => load === undefined).length;

	await sendAgain({ cluster, workflow }, events, uncalled);
	const open = uncalled.filter((event) => callsTo(cluster, event) === 0);
	return {
		...{ disturbance, events, ...times, failed: failures.length, withoutData },
		lost: Math.max(0, unexplained - withoutData),
		calledAgain: uncalled.length - open.length,
		open: await reasonsOf(workflow, open),
		doubled: doubledOf(cluster, events),
	};
}

/** Sends what has no call once more; resolves to how many got theirs. */
export async function finishRound(
	{ cluster, workflow }: { cluster: Cluster; workflow: TmsWorkflow },
	round: Round,
): Promise<void> {
	const open = [...round.open.keys()];
	await sendAgain({ cluster, workflow }, round.events, open);
	const left = open.filter((event) => callsTo(cluster, event) === 0);
	round.open = await reasonsOf(workflow, left);
	round.doubled = doubledOf(cluster, round.events);
}

async function sendAgain(
	{ cluster, workflow }: { cluster: Cluster; workflow: TmsWorkflow },
	events: TmsEvent[],
	uncalled: TmsEvent[],
) {
	const called = events.filter((event) => callsTo(cluster, event) > 0);
	const step = Math.max(1, Math.floor(called.length / SENT_AGAIN));
	const some = called.filter((_event, index) => index % step === 0);
	await sendEvents([...uncalled, ...some], () => workflow.urls());
	await workflow.whenQuiet();
}

async function disturbInTheMiddle(
	cluster: Cluster,
	disturbance: Disturbance,
	events: TmsEvent[],
): Promise<void> {
	const isMiddle = () => {
		const called = events.filter((event) => callsTo(cluster, event) > 0);
		return called.length >= MIDDLE * events.length;
	};
	await waitUntil('the middle of the events', isMiddle, 1_200_000);
	await DISTURBANCES[disturbance](cluster);
}

function callsTo(cluster: Cluster, { phone }: TmsEvent): number {
	return cluster.sandbox.ledger.dialed().filter(({ toPhone }) => toPhone === phone).length;
}

function doubledOf(cluster: Cluster, events: TmsEvent[]): string[] {
	return events.filter((event) => callsTo(cluster, event) > 1).map(({ phone }) => phone);
}

function timesOf({ sandbox }: Cluster, events: TmsEvent[]) {
	const sentAt = new Map(events.map((event) => [event.phone, event.sentAt]));
	const calls = sandbox.ledger.dialed().filter(({ toPhone }) => sentAt.has(toPhone));
	const calledAt = calls.map(({ at }) => Date.parse(at));
	const delays = calls
		.map(({ toPhone, at }) => Date.parse(at) - (sentAt.get(toPhone) ?? 0))
		.sort((one, other) => one - other);
	const at = (share: number) => delays[Math.floor(delays.length * share)] ?? Number.NaN;
	const lastMs = Math.max(...calledAt) - Math.min(...sentAt.values());
	return { perSecond: (1000 * calls.length) / lastMs, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function reasonsOf(workflow: TmsWorkflow, events: TmsEvent[]) {
	const executions = await workflow.executions();
	const reasons = events.map(async (event) => {
		const last = executions.findLast(({ load }) => load === event.load);
		return [event, last ? await workflow.reason(last) : 'no failed execution'] as const;
	});
	return new Map(await Promise.all(reasons));
}
