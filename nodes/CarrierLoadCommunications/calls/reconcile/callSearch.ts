import type { IDataObject } from 'n8n-workflow';

import { pause } from '../../../shared/service/http/cancellation';
import type { ServiceClient } from '../../../shared/service/client';
import { ServiceFailure } from '../../../shared/service/http/failure';
import type { JsonObject } from '../../../shared/service/http/json';
import { isCallTo, loadOf, type WantedCall } from '../output/callRow';
import { settled } from '../memory/settled';

/** How far the service's clock may be behind ours. More would take an earlier call for this one. */
export const CLOCK_SKEW_MS = 10_000;

/** A list may take `endTime` as exclusive and its clock may be ahead (contract 4.9). */
const AHEAD_MS = 60_000;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** What came of looking for a call that may have been placed. */
export interface Found {
	calls: JsonObject[];
	/** Half sentence: what looking for it brought, for the user. */
	told: string;
}

export interface LookFor {
	wanted: WantedCall;
	/** When it was dialled, as Unix milliseconds by our clock. */
	since: number;
	/** How long to go on looking, in milliseconds. */
	patienceMs: number;
	/** Whether a listed call can be the one. */
	mayBe(call: JsonObject): boolean;
	signal: AbortSignal | undefined;
}

/**
 * Looks in the service's list for calls that can be the one that was dialled: same number, same
 * load (or none noted yet), not older than the dialling. Looks again until one shows up or the
 * time is up; a list that cannot be read is tried again as long.
 *
 * @throws ServiceFailure of kind `cancelled` when the user presses Stop
 */
export async function lookForCall(client: ServiceClient, look: LookFor): Promise<Found> {
	const deadline = Date.now() + look.patienceMs;
	for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
		const found = await lookOnce(client, look);
		const left = deadline - Date.now();
		if (found.calls.length > 0 || left <= 0) return found;
		await pause(Math.min(wait, left), look.signal);
	}
}

async function lookOnce(client: ServiceClient, look: LookFor): Promise<Found> {
	// A page may repeat calls of the page before it while new ones come in.
	const candidates = new Map<unknown, JsonObject>();
	const from = look.since - CLOCK_SKEW_MS;
	const search = await settled(
		client.findCall(range(from), (call) => {
			if (isCandidate(look.wanted, call, from) && look.mayBe(call)) candidates.set(call.id, call);
			return false;
		}),
	);
	const calls = [...candidates.values()];
	if ('error' in search) {
		const { error } = search;
		if (!(error instanceof ServiceFailure) || error.details.kind === 'cancelled') throw error;
		return { calls, told: `The call list could not be read: ${error.message}` };
	}
	if (calls.length > 0) return { calls, told: '' };
	const told = search.value.complete
		? `The call list shows no such call since ${new Date(look.since).toISOString()}`
		: 'The call list could not be read to its end; as far as it was read it shows no such call';
	return { calls, told };
}

/**
 * The newest call to the number for the load that is not older than so many milliseconds.
 *
 * A call that is still going on may have no load noted yet, so a second look, without the load
 * filter, takes calls of the last minutes that name no load.
 *
 * @throws ServiceFailure also when the list could not be read to its end and shows no such call
 */
export async function findRecentCall(
	client: ServiceClient,
	wanted: WantedCall,
	withinMs: number,
	mayBe: (call: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
	const load = loadOf(wanted);
	const now = Date.now();
	const from = now - withinMs;
	const matches = (call: JsonObject) => isCandidate(wanted, call, from) && mayBe(call);
	const recent = Math.max(from, now - RECENT_MS);
	const searches = load === undefined ? [range(from)] : [range(from, load), range(recent)];
	for (const query of searches) {
		const { call, complete } = await client.findCall(query, matches);
		if (call) return call;
		if (!complete) throw incomplete();
	}
	return undefined;
}

const RECENT_MS = 15 * 60_000;

function range(from: number, loadId?: string) {
	return {
		startTime: new Date(from).toISOString(),
		endTime: new Date(Date.now() + AHEAD_MS).toISOString(),
		...(loadId !== undefined && { loadId }),
	};
}

function isCandidate(wanted: WantedCall, call: JsonObject, from: number): boolean {
	const created = timeOf(call);
	return (
		created !== undefined &&
		created >= from &&
		isCallTo(wanted.toPhone, call) &&
		mayConcern(loadOf(wanted), call)
	);
}

/**
 * Whether a listed call can be about the load. Agent calls have none (contract 4.8), and a call that
 * goes on may have none noted yet: then the number and the time decide.
 */
export function mayConcern(load: string | undefined, call: JsonObject): boolean {
	const noted: unknown = call.loadIds;
	if (load === undefined || !Array.isArray(noted) || noted.length === 0) return true;
	return noted.some((id) => String(id) === load);
}

/** When a listed call was made, as Unix milliseconds; undefined when it does not say. */
export function timeOf({ createdAt }: IDataObject): number | undefined {
	const time = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
	return Number.isNaN(time) ? undefined : time;
}

function incomplete(): ServiceFailure {
	return new ServiceFailure({
		kind: 'unreadable',
		what: 'The call list could not be read to its end, so an earlier call cannot be ruled out',
		advice: 'Run this item again, or switch off Skip if Called Within',
		nothingSent: true,
	});
}
