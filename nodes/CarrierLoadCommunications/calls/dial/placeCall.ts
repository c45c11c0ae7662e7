import type { IDataObject } from 'n8n-workflow';

import { throwIfStopped } from '../../../shared/service/http/cancellation';
import { ServiceFailure } from '../../../shared/service/http/failure';
import type { KnownCall } from '../memory/knownCalls';
import { nodeKeyOf } from '../memory/execution';
import { runExclusive } from '../memory/runExclusive';
import { CallProblem } from '../output/callErrors';
import { placedRow } from '../output/callRow';
import type { PlannedCall } from '../plan/plannedCall';
import { reconcile } from '../reconcile/reconcile';
import type { CallRun } from './callRun';
import { readOwnAnswer } from './ownAnswer';
import { awaitTurn } from './pacing';

/** How long after a request was abandoned the service may still place its call. */
const LATE_MS = 2 * 60_000;

/**
 * The row of an item's call: from an earlier try, of an earlier duplicate, or dialed now. Dials at
 * most once, however often it is called.
 *
 * @throws CallProblem, ServiceFailure
 */
export async function placeCall(run: CallRun, call: PlannedCall): Promise<IDataObject> {
	const { context, registry, guard, rules, speed, signal } = run;
	let waitedMs = 0;
	if (registry.recall(call) === undefined) {
		const earlier = await guard.findEarlier(call);
		if (earlier) return registry.done(call, earlier);
		waitedMs = await awaitTurn(nodeKeyOf(context), speed.perMinute, signal);
	}
	// A lost call is found by its number, so no other call to that number may be in flight.
	return await runExclusive(call.known.line, async () => {
		const known = registry.recall(call);
		if (known?.row) return known.row;
		throwIfStopped(signal);
		if (known) return await reconcile(run, call, known, earlierTry(known));
		const earlier = await guard.findLast(call, waitedMs);
		if (earlier) return registry.done(call, earlier);
		throwIfStopped(signal);
		// The hours may have ended while the call waited for its turn.
		return (await rules.admit(call)) ?? (await dial(run, call));
	});
}

/** What an earlier try did about a call whose outcome isn't known. */
function earlierTry({ interrupted, why }: KnownCall): string {
	const did = interrupted
		? 'had begun to place this call, before a restart of n8n or on another worker'
		: 'sent the request';
	const got = interrupted ? '' : '. It got no response';
	return `An earlier try of this execution ${did}${why === undefined ? got : `. ${why}`}`;
}

/** The service rejected the request, and it is not sent again: the item gets this row, or fails. */
class NotRepeated extends Error {
	constructor(
		readonly row: IDataObject | undefined,
		readonly problem?: unknown,
	) {
		super('The call is not requested again');
	}
}

async function dial(run: CallRun, call: PlannedCall): Promise<IDataObject> {
	const { registry, client, guard, rules } = run;
	let from = Date.now();
	registry.dialing(call, from, Number.MAX_SAFE_INTEGER);
	// A service may ask to wait for minutes.
	const mayRepeat = async () => {
		const [check] = await Promise.allSettled([
			guard.findLast(call, Number.POSITIVE_INFINITY).then((row) => row ?? rules.apply(call)),
		]);
		if (check.status === 'rejected') throw new NotRepeated(undefined, check.reason);
		if (check.value) throw new NotRepeated(check.value);
		from = Date.now();
		registry.dialing(call, from, Number.MAX_SAFE_INTEGER);
	};
	const [sent] = await Promise.allSettled([client.placeCall(call, call.body, mayRepeat)]);
	const lost = registry.dialing(call, from, Date.now() + LATE_MS);
	if (sent.status === 'rejected') return await afterFailure(run, call, lost, sent.reason);
	const answer = sent.value;
	const read = readOwnAnswer(client, call, answer, from);
	if ('unclear' in read) return await lookUp(run, call, lost, read.unclear);
	if ('refused' in read) {
		await notPlaced(run, call);
		const words = read.refused === undefined ? '' : `: ${read.refused}`;
		throw new CallProblem(
			`The service did not place the ${call.known.what}${words}`,
			"Check this item's values, or ask the service operator what the response means",
		);
	}
	return registry.placed(call, placedRow(call, read.placed, answer));
}

async function afterFailure(run: CallRun, call: PlannedCall, lost: KnownCall, error: unknown) {
	if (error instanceof NotRepeated) {
		await notPlaced(run, call);
		const { row, problem } = error;
		if (row === undefined) throw problem;
		return row.placement === 'skippedDuplicate' ? run.registry.done(call, row) : row;
	}
	if (!(error instanceof ServiceFailure)) {
		return await lookUp(run, call, lost, 'The request failed midway');
	}
	if (error.nothingHappened) await notPlaced(run, call);
	if (error.nothingHappened || error.details.kind === 'cancelled') throw error;
	return await lookUp(run, call, lost, error.message);
}

async function lookUp(run: CallRun, call: PlannedCall, lost: KnownCall, why: string) {
	run.registry.unclear(call, why);
	return await reconcile(run, call, lost, why);
}

async function notPlaced({ registry, rules }: CallRun, call: PlannedCall): Promise<void> {
	registry.notPlaced(call);
	await rules.release(call);
}
