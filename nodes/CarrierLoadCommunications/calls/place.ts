import type { IDataObject } from 'n8n-workflow';

import { runsAsTool } from '../../shared/fields/parameters';
import { throwIfStopped } from '../../shared/service/exchange';
import { isStop, ServiceFailure } from '../../shared/service/failure';
import type { KnownCall, PlannedCall } from './call';
import { readOwnAnswer } from './callAnswer';
import { CallProblem } from './callErrors';
import { askedAgain } from './duplicate';
import type { DuplicateGuard } from './guard';
import type { CallItem, ReadyItem } from './item';
import { isOwnNumber, isSkipped, runExclusive, type LookingRun } from './memory';
import { reconcile } from './reconcile';
import { placedRow } from './rows';
import type { RunRules } from './rules/rules';
import { awaitTurn, type Speed } from './turn';
import { failingRow, rehearsedRow } from './uncalledRow';

export interface CallRun extends LookingRun {
	stops: boolean;
	guard: DuplicateGuard;
	rules: RunRules;
	speed: Speed;
}

/** How many calls are reserved together, for each one placed in parallel, and at most. */
const RESERVED_TOGETHER = 50;
const MOST_TOGETHER = 250;
/** How long after a request was abandoned the service may still place its call. */
const LATE_MS = 2 * 60_000;

/** @returns the item that failed first; the run stopped there, unless the node continues on errors */
export async function placeItems(run: CallRun, planned: readonly ReadyItem[]) {
	const items = inTurns(planned);
	let failed: CallItem | undefined;
	const isStopped = () => run.stops && failed !== undefined;
	const { parallel, perMinute = Number.POSITIVE_INFINITY } = run.speed;
	const size = Math.ceil(Math.min(RESERVED_TOGETHER * parallel, MOST_TOGETHER, perMinute));
	let reserved = reserve(run, items.slice(0, size));
	for (let from = 0; from < items.length && !isStopped(); from += size) {
		await reserved;
		// The next ones are reserved meanwhile, because that takes half a second.
		reserved = reserve(run, items.slice(from + size, from + 2 * size));
		const chunk = items.slice(from, from + size).values();
		const placeNext = async () => {
			for (const item of chunk) {
				if (isStopped()) return;
				await placeItem(run, item);
				if ('problem' in item) failed ??= item;
			}
		};
		await Promise.all(Array.from({ length: parallel }, placeNext));
	}
	await reserved;
	await run.guard.release(items.map(({ call }) => call));
	return failed;
}

/** Each phone's first call comes before any phone's second, which may have to wait for it. */
function inTurns(items: readonly ReadyItem[]): ReadyItem[] {
	const calls = new Map<string, number>();
	const turns = items.map((item) => {
		const { phoneKey } = item.call.identity;
		const turn = item.rules.samePhonePauseMs === 0 ? 0 : (calls.get(phoneKey) ?? 0);
		calls.set(phoneKey, turn + 1);
		return { item, turn };
	});
	return turns.sort((one, other) => one.turn - other.turn).map(({ item }) => item);
}

async function reserve(run: CallRun, items: readonly ReadyItem[]): Promise<void> {
	const placed = items.filter(({ rules }) => rules.dryRun === undefined);
	await run.guard.reserve(placed.map(({ call }) => call));
}

async function placeItem(run: CallRun, item: ReadyItem): Promise<void> {
	const { call, rules } = item;
	// A call that an earlier try placed is no longer a dry run.
	const isDryRun = rules.dryRun !== undefined && run.memory.recall(call) === undefined;
	try {
		item.row = isDryRun
			? rehearsedRow(
					(await run.guard.findEarlier(call)) ??
						(await run.rules.rehearse(run.client, call, rules)),
				)
			: await placeCall(run, item);
	} catch (problem) {
		// A dry run ends only when someone stops it.
		if (isDryRun && !isStop(problem)) item.row = failingRow(run.context, call, problem);
		else item.problem = problem;
	}
}

/** The row of an item's call: from an earlier try, of an earlier duplicate, or dialed now, at most once. */
async function placeCall(run: CallRun, item: ReadyItem): Promise<IDataObject> {
	const { context, client, memory, guard, rules, signal } = run;
	const { call } = item;
	// A lost call is found by its number, so no other call to that number may be in flight.
	return await runExclusive(`phone:${call.identity.phoneKey}`, async () => {
		const known = memory.recall(call);
		if (known?.row) return runsAsTool(context) ? askedAgain(call, known) : known.row;
		throwIfStopped(signal);
		if (known) {
			const why = `An earlier attempt of this execution sent the request. ${known.why ?? 'It got no response'}`;
			return await reconcile(run, call, known, why);
		}
		let earlier = await guard.findEarlier(call);
		// A duplicate waits for nothing.
		const hasWaited = earlier === undefined && (await awaitTurn(run, item));
		if (hasWaited) earlier = await guard.findEarlier(call, true);
		if (earlier) return memory.done(call, earlier);
		throwIfStopped(signal);
		if (isOwnNumber(call)) {
			throw new CallProblem(
				`The ${call.identity.what} was not placed: it is the number that your calls come from`,
				'Correct To Phone in this item',
			);
		}
		// The hours may have ended while the call waited for its turn.
		const refused = await rules.admit(client, call, item.rules, hasWaited);
		return refused ?? (await dial(run, item));
	});
}

async function dial(run: CallRun, item: ReadyItem): Promise<IDataObject> {
	const { memory, client, guard, rules } = run;
	const { call } = item;
	let from = Date.now();
	memory.dialing(call, from, Number.MAX_SAFE_INTEGER);
	/** Whether the rejected request may not be sent again, and the row that the item has instead. */
	const rejected: { isFinal: boolean; row?: IDataObject | undefined } = { isFinal: false };
	// A service may ask to wait for minutes.
	const beforeRepeat = async () => {
		rejected.isFinal = true;
		rejected.row =
			(await guard.findEarlier(call, true)) ?? (await rules.admit(client, call, item.rules, true));
		if (rejected.row) throw new Error("The call won't be retried");
		rejected.isFinal = false;
		from = Date.now();
		memory.dialing(call, from, Number.MAX_SAFE_INTEGER);
	};
	const [sent] = await Promise.allSettled([client.placeCall(call, call.body, beforeRepeat)]);
	const lost = memory.dialing(call, from, Date.now() + LATE_MS);
	if (sent.status === 'rejected') {
		const error: unknown = sent.reason;
		const failure = error instanceof ServiceFailure ? error : undefined;
		if (rejected.isFinal || failure?.nothingHappened) {
			notPlaced(run, call);
			if (rejected.row === undefined) throw error;
			return isSkipped(rejected.row) ? memory.done(call, rejected.row) : rejected.row;
		}
		if (isStop(error)) throw error;
		return await lookUp(run, call, lost, failure?.message ?? 'The request failed midway');
	}
	const answer = sent.value;
	const read = readOwnAnswer(client, call, answer, from);
	if ('unclear' in read) return await lookUp(run, call, lost, read.unclear);
	if ('refused' in read) {
		notPlaced(run, call);
		const words = read.refused === undefined ? '' : `: ${read.refused}`;
		throw new CallProblem(
			`The service did not place the ${call.identity.what}${words}`,
			"Check this item's values, or ask the service operator what the response means",
		);
	}
	return memory.done(call, placedRow(call, read.placed, answer));
}

async function lookUp(run: CallRun, call: PlannedCall, lost: KnownCall, why: string) {
	// For the error of a later try.
	run.memory.keep({ ...lost, why });
	return await reconcile(run, call, lost, why);
}

function notPlaced({ memory, rules }: CallRun, call: PlannedCall): void {
	memory.notPlaced(call);
	rules.release(call);
}
