import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { runsAsTool } from '../../shared/fields/parameters';
import { hasEnded } from '../../shared/outcome/callOutcome';
import { pause, throwIfStopped } from '../../shared/service/cancellation';
import type { ServiceClient } from '../../shared/service/client';
import { ServiceFailure } from '../../shared/service/failure';
import { isJsonObject, type JsonObject } from '../../shared/service/json';
import { readTime } from '../../shared/service/record';
import { ringOf, type CallAnswer, type KnownCall, type Placement, type PlannedCall } from './call';
import { CallProblem } from './callErrors';
import { callIdOf, CallList, CLOCK_SKEW_MS } from './callList';
import { failingRow, isStop } from './dryRun';
import { aboutStop, type DuplicateGuard } from './guard';
import { nodeKeyOf } from './keys';
import {
	callersOf,
	hasOtherExtension,
	isOfOtherRequest,
	otherCalls,
	runExclusive,
	type CallMemory,
} from './memory';
import { matchNumber } from './phone';
import type { CallItem, ReadyItem } from './plan';
import { reconcile } from './reconcile';
import { placedRow, rehearsedRow } from './rows';
import type { RunRules } from './rules/rules';

/** What all calls of one run share. */
export interface CallRun {
	context: IExecuteFunctions;
	/** Whether the node stops at the first failed item. */
	stops: boolean;
	client: ServiceClient;
	memory: CallMemory;
	guard: DuplicateGuard;
	rules: RunRules;
	/** How many calls may be in progress, and may begin per minute (undefined for no limit). */
	speed: { parallel: number; perMinute: number | undefined };
	/** How long to look for an unconfirmed call, in milliseconds. */
	lookForMs: number;
	signal: AbortSignal | undefined;
}

/** How many calls are reserved together, for each one placed in parallel, and at most. */
const RESERVED_TOGETHER = 50;
const MOST_TOGETHER = 250;

/** How long after a request was abandoned the service may still place its call. */
const LATE_MS = 2 * 60_000;

/** How often to look whether another call to the phone has ended. */
const LOOK_EVERY_MS = 10_000;

/**
 * Places the planned calls, and gives each item its row or its problem.
 *
 * @returns the item that failed first; the run stopped there, unless the node continues on errors
 */
export async function placeItems(
	run: CallRun,
	planned: readonly ReadyItem[],
): Promise<CallItem | undefined> {
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
		const chunk = items.slice(from, from + size);
		await inParallel(chunk, parallel, async (item) => {
			if (isStopped()) return;
			await placeItem(run, item);
			if ('problem' in item) failed ??= item;
		});
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

async function inParallel<Job>(
	jobs: readonly Job[],
	parallel: number,
	work: (job: Job) => Promise<void>,
): Promise<void> {
	const left = jobs.values();
	const worker = async () => {
		for (const job of left) await work(job);
	};
	await Promise.all(Array.from({ length: parallel }, worker));
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
			: await placeOnce(run, item);
	} catch (problem) {
		if (isDryRun && !isStop(problem)) item.row = failingRow(run.context, call, problem);
		else item.problem = problem;
	}
}

/** An agent's model doesn't retry but requests a new call, so it must be told that no phone rang. */
async function placeOnce(run: CallRun, item: ReadyItem): Promise<IDataObject> {
	const asked = runsAsTool(run.context) ? run.memory.recall(item.call) : undefined;
	const row = await placeCall(run, item);
	if (asked === undefined || ringOf(asked) !== 'yes') return row;
	const placement: Placement = 'skippedDuplicate';
	return {
		...row,
		placement,
		placementReason: `The AI agent already made this call in this turn.${aboutStop(item.call, asked)}`,
		result: 'Skipped: already called in this turn',
	};
}

/**
 * The row of an item's call: from an earlier try, of an earlier duplicate, or dialed now. Dials at
 * most once, however often it is called.
 *
 * @throws CallProblem, ServiceFailure
 */
async function placeCall(run: CallRun, item: ReadyItem): Promise<IDataObject> {
	const { context, client, memory, guard, rules, speed, signal } = run;
	const { call } = item;
	const { perMinute } = speed;
	let isLate = perMinute !== undefined;
	const phone = `phone:${call.identity.phoneKey}`;
	if (perMinute !== undefined && memory.recall(call) === undefined) {
		// A duplicate doesn't wait for its turn.
		const earlier = await runExclusive(phone, async () => await guard.findEarlier(call));
		if (earlier) return memory.done(call, earlier);
		await awaitTurn(nodeKeyOf(context), perMinute, signal);
	}
	// A lost call is found by its number, so no other call to that number may be in flight.
	return await runExclusive(phone, async () => {
		const known = memory.recall(call);
		if (known?.row) return known.row;
		throwIfStopped(signal);
		if (known) return await reconcile(run, call, known, earlierTry(known));
		let earlier = await guard.findEarlier(call, isLate);
		if (earlier === undefined && (await awaitPhone(run, item))) {
			isLate = true;
			earlier = await guard.findEarlier(call, isLate);
		}
		if (earlier) return memory.done(call, earlier);
		throwIfStopped(signal);
		refuseOwnNumber(call);
		// The hours may have ended while the call waited for its turn.
		const refused = await rules.admit(client, call, item.rules, isLate);
		return refused ?? (await dial(run, item));
	});
}

/**
 * Waits for the last call to a phone to end: it can't take two at the same time. Returns whether there
 * was one to wait for.
 */
async function awaitPhone({ client, signal }: CallRun, { call, rules }: ReadyItem) {
	const calls = otherCalls(call).filter((other) => !hasOtherExtension(call, other));
	const [last] = calls.sort((one, other) => other.from - one.from);
	if (last === undefined || hasEnded(last.row ?? {})) return false;
	const now = Date.now();
	// The clock may have been ahead at that call.
	const left = Math.min(last.from + rules.samePhonePauseMs - now, rules.samePhonePauseMs);
	if (left <= 0) return false;
	const settings = { deadline: now + left, longestPauseMs: LOOK_EVERY_MS, signal };
	if (last.row) await CallList.of(client).ended(client, last.row, settings);
	else await pause(left, signal);
	return true;
}

/** @throws CallProblem if the service would call the number that its own calls come from */
function refuseOwnNumber({ toPhone, identity }: PlannedCall): void {
	if (!callersOf(identity).some((caller) => matchNumber(toPhone, caller) === 'same')) return;
	throw new CallProblem(
		`The ${identity.what} was not placed: it is the number that your calls come from`,
		'Correct To Phone in this item',
	);
}

/** What an earlier try did about a call whose outcome isn't known. */
function earlierTry({ why }: KnownCall): string {
	return `An earlier attempt of this execution sent the request. ${why ?? 'It got no response'}`;
}

/** When each node last started a call, in any of its executions, as Unix milliseconds. */
const lastTurns = new Map<string, number>();

/**
 * Waits until a node's next call may start, so that they are evenly spaced.
 *
 * @throws ServiceFailure of kind `cancelled` if the user presses Stop meanwhile
 */
export async function awaitTurn(node: string, perMinute: number, signal: AbortSignal | undefined) {
	await runExclusive(`pace:${node}`, async () => {
		const interval = 60_000 / perMinute;
		const wait = (lastTurns.get(node) ?? 0) + interval - Date.now();
		// The clock may have been ahead at the last turn.
		if (wait > 0) await pause(Math.min(wait, interval), signal);
		lastTurns.set(node, Date.now());
	});
}

/** The service rejected the request, and it is not sent again: the item gets this row, or fails. */
class NotRepeated extends Error {
	constructor(readonly result: { row: IDataObject } | { problem: unknown }) {
		super("The call won't be retried");
	}
}

async function dial(run: CallRun, item: ReadyItem): Promise<IDataObject> {
	const { memory, client, guard, rules } = run;
	const { call } = item;
	let from = Date.now();
	memory.dialing(call, from, Number.MAX_SAFE_INTEGER);
	// A service may ask to wait for minutes.
	const beforeRepeat = async () => {
		try {
			const row =
				(await guard.findEarlier(call, true)) ??
				(await rules.allow(client, call, item.rules, true));
			if (row) throw new NotRepeated({ row });
		} catch (problem) {
			throw problem instanceof NotRepeated ? problem : new NotRepeated({ problem });
		}
		from = Date.now();
		memory.dialing(call, from, Number.MAX_SAFE_INTEGER);
	};
	const [sent] = await Promise.allSettled([client.placeCall(call, call.body, beforeRepeat)]);
	const lost = memory.dialing(call, from, Date.now() + LATE_MS);
	if (sent.status === 'rejected') return await afterFailure(run, call, lost, sent.reason);
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

async function afterFailure(run: CallRun, call: PlannedCall, lost: KnownCall, error: unknown) {
	if (error instanceof NotRepeated) {
		notPlaced(run, call);
		if ('problem' in error.result) throw error.result.problem;
		const { row } = error.result;
		return row.placement === 'skippedDuplicate' ? run.memory.done(call, row) : row;
	}
	if (!(error instanceof ServiceFailure)) {
		return await lookUp(run, call, lost, 'The request failed midway');
	}
	if (error.nothingHappened) notPlaced(run, call);
	if (error.nothingHappened || error.details.kind === 'cancelled') throw error;
	return await lookUp(run, call, lost, error.message);
}

async function lookUp(run: CallRun, call: PlannedCall, lost: KnownCall, why: string) {
	run.memory.unclear(lost, why);
	return await reconcile(run, call, lost, why);
}

function notPlaced({ memory, rules }: CallRun, call: PlannedCall): void {
	memory.notPlaced(call);
	rules.release(call);
}

/**
 * What the response to a call's request means for this call. If it returns another one, such as an
 * earlier call that the service considers the same, it is unclear whether this one was placed.
 *
 * @param sentAt when the request was sent, in Unix milliseconds
 */
function readOwnAnswer(
	client: ServiceClient,
	call: PlannedCall,
	answer: JsonObject,
	sentAt: number,
): CallAnswer {
	const read = call.readAnswer(answer, client.wordsIn(answer));
	if (!('placed' in read)) return read;
	const { placed } = read;
	const id = callIdOf(placed);
	const returned = `The service returned call ${id}`;
	if (isOfOtherRequest(call.identity, id)) {
		return { unclear: `${returned}, which belongs to another request` };
	}
	if (matchNumber(call.toPhone, placed.toPhone) === 'other') {
		return { unclear: `${returned} to another number, ${String(placed.toPhone).slice(0, 100)}` };
	}
	if (isEarlier(placed, Date.now() - sentAt)) {
		return { unclear: `${returned}, which was placed earlier, at ${String(placed.createdAt)}` };
	}
	return read;
}

/**
 * Whether the service changed a call longer after it was created than the request took, and it isn't
 * in progress. Only the service's own times are compared: its clock or zone may be wrong.
 */
function isEarlier({ status, createdAt, updatedAt }: JsonObject, tookMs: number): boolean {
	const [created, updated] = [readTime(createdAt), readTime(updatedAt)];
	if (status === 'IN_PROGRESS' || created?.toleranceMs !== updated?.toleranceMs) return false;
	return Number(updated?.ms) - Number(created?.ms) > tookMs + CLOCK_SKEW_MS;
}

/** Statuses that mean there is no call. The contract (3) shows only `IN_PROGRESS`. */
const FAILED =
	/fail|error|reject|refus|cancel|invalid|denied|declin|block|abort|not.?(initiated|placed)/i;

/** For check calls and carrier sales calls (contract 4.7, 7: a null `call` was not placed). */
export function readTriggerAnswer({ success, call }: JsonObject, words?: string): CallAnswer {
	if (call === null) return { refused: words };
	if (isJsonObject(call)) {
		if (success === true || success === undefined || success === null) return readCall(call, words);
		return unclear('did not report a success, but returned a call', words);
	}
	if (success === false) return { refused: words };
	return unclear('did not say whether the call was placed', words);
}

/**
 * For agent calls (contract 4.8). Only `success` is documented; with any other status it is unknown
 * whether the phone rang, unless `call` is null (contract 7).
 */
export function readAgentAnswer({ status, call }: JsonObject, words?: string): CallAnswer {
	if (call === null) return { refused: words ?? statusWords(status) };
	if (status !== 'success') return unclear(`responded with ${statusWords(status)}`, words);
	if (!isJsonObject(call)) return unclear('did not say whether the call was placed', words);
	return readCall(call, words);
}

function readCall(call: JsonObject, words?: string): CallAnswer {
	const { status } = call;
	const id = callIdOf(call);
	if (id === undefined) return unclear('returned a call without an ID', words);
	if (typeof status !== 'string' || !FAILED.test(status.slice(0, 100))) return { placed: call };
	return unclear(`returned call ${id} with ${statusWords(status)}`, words);
}

function statusWords(status: unknown): string {
	return typeof status === 'string' ? `the status "${status.slice(0, 100)}"` : 'no status';
}

function unclear(what: string, words: string | undefined): { unclear: string } {
	return { unclear: `The service ${what}${words === undefined ? '' : `: ${words}`}` };
}
