// How many times the reader waits for the service, by a clock that only the service moves: every page
// takes exactly one unit, and computing takes none. No other load on the machine changes it.
import { readList, type Source, trustTheService } from './built-reader.mts';
import { printVerdict } from './results.mts';

const PAGING = { pageSize: 500, pagesInParallel: 4, onPageFailure: 'error' } as const;
/** Turns of the event loop after which the reader has asked for all that it asks for. */
const TURNS = 20;

interface Waited {
	pageTimes: number;
	requests: number;
}

async function waitsFor(identity: Source['identity'], total: number): Promise<Waited> {
	const waited = { pageTimes: 0, requests: 0 };
	let asked: Array<() => void> = [];
	const readPage: Source['readPage'] = async ({ offset, limit }, { onAnswered }) => {
		waited.requests++;
		await new Promise<void>((resolve) => asked.push(resolve));
		onAnswered?.();
		await turn();
		const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, nth) =>
			identity === 'id' ? { id: offset + nth + 1 } : { load: offset + nth },
		);
		return { rows, total, appliedLimit: limit };
	};
	let read: number | undefined;
	void readList(PAGING, { identity, readPage }).then(({ rows }) => (read = rows.length));
	for (;;) {
		for (let turns = 0; turns < TURNS; turns++) await turn();
		if (asked.length === 0) break;
		const answered = asked;
		asked = [];
		waited.pageTimes++;
		for (const answer of answered) answer();
	}
	if (read !== total) throw new Error(`${read} of ${total} rows were read`);
	return waited;
}

const turn = async (): Promise<void> => await new Promise((resolve) => void setImmediate(resolve));

/** Prints how often the reader waits for the service with and without what makes lists complete. */
export async function comparePageTimes(sizes: number[]): Promise<void> {
	const lists = sizes.flatMap((rows) => [
		{ rows, list: 'calls', identity: 'id' as const },
		{ rows, list: 'bids', identity: 'none' as const },
	]);
	const complete: Waited[] = [];
	for (const { rows, identity } of lists) complete.push(await waitsFor(identity, rows));
	trustTheService();
	console.log(`\nWaits for the service, ${PAGING.pagesInParallel} pages in parallel\n`);
	for (const [nth, { rows, list, identity }] of lists.entries()) {
		const [checked, trusting] = [complete[nth], await waitsFor(identity, rows)];
		if (!checked) continue;
		const what = `waits with completeness / without, ${rows.toLocaleString('en-US')} ${list}`;
		printVerdict(what, 1.02, checked.pageTimes / trusting.pageTimes);
		console.log(
			`  ${checked.pageTimes} / ${trusting.pageTimes} waits, ${checked.requests} / ${trusting.requests} requests`,
		);
	}
}
