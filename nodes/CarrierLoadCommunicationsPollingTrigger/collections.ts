import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../shared/service/http/json';
import { withDeadline } from '../shared/service/http/stream';
import { isBusy, notingBusy } from './read/busy';
import { collect } from './collect';
import type { PollSettings } from './form';
import { noteState, resumeState, type PolledNode } from './memory/resume';
import { readState, writeState, type PollState } from './memory/state';
import type { Reading } from './read/windows';

/** A list that is read for longer than this is reported, in milliseconds. */
const STUCK_MS = 15 * 60 * 1000;

/** Records that no poll has asked for in this time are dropped, in milliseconds. */
const DROPPED_AFTER_MS = 24 * 60 * 60 * 1000;

/** New records that are being read, or were read and wait for a poll that delivers them. */
interface Collection {
	/** The settings and the state it started from. For others, it has the wrong records. */
	basis: string;
	startedMs: number;
	/** Whether a poll waits for it. */
	isAwaited: boolean;
	result: Promise<{ records: JsonObject[]; state: PollState }>;
}

/** In this n8n process, per node. */
const collections = new Map<string, Collection>();

export interface Poll extends Reading {
	node: PolledNode;
	settings: PollSettings;
	/** The node's static data, as n8n currently has it. */
	staticData: IDataObject;
	/** How long n8n lets the poll wait, in milliseconds. */
	waitMs: number;
}

/**
 * Collects new records and remembers them. If that takes longer than the poll may wait, it returns
 * nothing; reading goes on, and a later poll delivers. It does the same while another poll waits: n8n
 * starts a poll while the last one still runs, on the same static data (n8n-core 2.41,
 * active-workflow-triggers.js: `void executePollTrigger()`).
 *
 * Returns nothing before the service wants to be asked again, either.
 *
 * @throws the error of reading; the state is then unchanged. Also if reading seems to be stuck, so
 * that n8n shows it
 */
export async function pollOnce(poll: Poll): Promise<JsonObject[]> {
	const { node, settings, staticData, waitMs, warn } = poll;
	const basis = JSON.stringify([settings, staticData.state]);
	const current = collections.get(node.key);
	if (current?.isAwaited) return nothingYet(current);
	const isUsable = current?.basis === basis && Date.now() - current.startedMs <= settings.catchUpMs;
	const stored = readState(staticData, settings.event);
	// The first poll is part of publishing, which should not seem to succeed.
	if (!isUsable && stored && isBusy(busyKey(poll), Date.now())) return [];
	const collection = isUsable ? current : start(poll, basis, stored);
	collection.isAwaited = true;
	let isLate = false;
	try {
		const late = () => void (isLate = true);
		const { records, state } = await withDeadline(waitMs, collection.result, late);
		for (const forgotten of writeState(staticData, state)) warn(forgotten);
		noteState(node, state, records.length > 0);
		return records;
	} catch (error) {
		return isLate ? nothingYet(collection) : await Promise.reject(error);
	} finally {
		collection.isAwaited = false;
		if (!isLate) collections.delete(node.key);
	}
}

function start(poll: Poll, basis: string, stored: PollState | undefined): Collection {
	const { node, settings, warn } = poll;
	const nowMs = Date.now();
	for (const [key, { startedMs }] of collections) {
		if (nowMs - startedMs > DROPPED_AFTER_MS) collections.delete(key);
	}
	const state = resumeState(stored, settings, { node, nowMs, warn });
	const read = notingBusy(busyKey(poll), poll.read);
	const result = collect(state, { ...settings, ...poll, read, nowMs }).then((records) => ({
		...{ records, state },
	}));
	// The poll that delivers reports it.
	result.catch(() => {});
	const collection = { basis, startedMs: nowMs, isAwaited: false, result };
	collections.set(node.key, collection);
	return collection;
}

/** Another account may not be busy. */
function busyKey({ node, settings }: Poll): string {
	return `${node.key}:${settings.account}`;
}

/** @throws if reading has taken too long */
function nothingYet({ startedMs }: Collection): JsonObject[] {
	const tookMs = Date.now() - startedMs;
	if (tookMs < STUCK_MS) return [];
	throw new Error(
		`The service's list has been read for ${Math.floor(tookMs / 60_000)} minutes and is not complete. Its records arrive when it is; if this continues, set a filter or a shorter overlap, or ask the service operator why it is slow.`,
	);
}
