import { createHash } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';

import { normalizeBaseUrl } from '../../shared/service/http/baseUrl';
import { readAccessToken } from '../../shared/service/http/credential';
import { CREDENTIAL_TYPE } from '../../shared/service/http/request';
import { timeOf } from '../../shared/service/recordTime';
import type { Group } from '../read/records';
import type { PollState } from './state';

/**
 * Tells the account that is polled from others: service and token (contract 5.2). Too short for
 * anyone to find out the token, because static data is part of an exported workflow.
 */
export async function accountOf(context: IPollFunctions): Promise<string> {
	const { baseUrl, accessToken } = await context.getCredentials(CREDENTIAL_TYPE);
	const account = [normalizeBaseUrl(baseUrl), readAccessToken(accessToken)];
	return createHash('sha256').update(JSON.stringify(account)).digest('base64url').slice(0, 4);
}

/**
 * Marks what was remembered as another account's: there, the same ID may be another record's. It may
 * also be the same account with a new token or URL; see `takeBack`.
 */
export function setAside(state: PollState): PollState {
	const { seen, waiting } = state;
	return {
		...state,
		seen: new Map([...seen].map(([key, known]) => [asideKey(key, known.time), known])),
		waiting: new Map([...waiting].map(([key, time]) => [asideKey(key, time), time])),
	};
}

/**
 * Takes back what was set aside of listed records: with the same ID and time, they are the same
 * ones. If one of them was delivered, the account is the same, and nothing in it is old.
 */
export function takeBack(groups: readonly Group[], state: PollState): void {
	for (const { key, rows } of groups) {
		const aside = asideKey(key, timeOf(rows[0] ?? {})?.ms ?? 0);
		if (move(state.seen, aside, key)) state.quietUntil = undefined;
		move(state.waiting, aside, key);
	}
}

function move<Value>(memory: Map<string, Value>, from: string, to: string): boolean {
	const value = memory.get(from);
	if (value === undefined) return false;
	memory.delete(from);
	memory.set(to, value);
	return true;
}

/** An account may be left and come back to, so it is marked once. */
function asideKey(key: string, time: number): string {
	const mark = `@${time}`;
	return key.endsWith(mark) ? key : `${key}${mark}`;
}
