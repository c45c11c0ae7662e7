import fc from 'fast-check';
import { readList } from '../../../../nodes/shared/service/pagination/list.ts';
import type { List, ReadPage } from '../../../../nodes/shared/service/pagination/types.ts';
import type { Case } from './cases.mts';
import { ListServer } from './server.mts';

// To replay a failure: its seed and path, and `-t` with the name of the test.
const { PROPERTY_RUNS = '1000', PROPERTY_SEED = '48213', PROPERTY_PATH } = process.env;
export const settings = {
	numRuns: Number(PROPERTY_RUNS),
	seed: Number(PROPERTY_SEED),
	...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
};

/** What came of reading a list. */
interface Reading extends Case {
	server: ListServer;
	list: List | { error: unknown };
}

/**
 * Reads a list of each case, the answers in any order, and looks at what came of it: as often, and
 * from the seed, that the environment asks for.
 */
export async function everyReading(
	cases: fc.Arbitrary<Case>,
	holds: (reading: Reading) => void,
): Promise<void> {
	const property = fc.asyncProperty(fc.scheduler(), cases, async (scheduler, drawn) =>
		holds(await read(scheduler, drawn)),
	);
	await fc.assert(property, settings);
}

async function read(scheduler: fc.Scheduler, drawn: Case): Promise<Reading> {
	const { paging, options, identity } = drawn;
	const server = new ListServer(options);
	let busy = 0;
	const ask: ReadPage = async (asked, { onAnswered }) => {
		expect(asked.limit).toBeGreaterThanOrEqual(1);
		expect(++busy).toBeLessThanOrEqual(paging.pagesInParallel);
		try {
			await scheduler.schedule(Promise.resolve(), `offset ${asked.offset} limit ${asked.limit}`);
		} finally {
			busy--;
		}
		const page = server.answer(asked);
		onAnswered?.();
		await scheduler.schedule(Promise.resolve(), 'look into it');
		return page;
	};
	const list = await scheduler.waitFor(
		readList(paging, { readPage: ask, identity }).catch((error: unknown) => ({ error })),
	);
	return { ...drawn, server, list };
}

/** The list of a reading that must have worked. */
export function listOf(result: List | { error: unknown }): List {
	if ('error' in result) throw result.error;
	return result;
}

/**
 * Every row that was there all the time is in the list exactly once and in its place, up to the
 * limit; or a hint says that some may be missing.
 */
export function expectWholeOrHint(
	{ rows, hint }: List,
	{ deleted }: ListServer,
	{ options, paging }: Case,
): void {
	if (hint !== undefined) return;
	const there = new Set(options.rows.filter((row) => !deleted.has(row)));
	const returned = rows.filter((row) => there.has(row));
	const isCut = rows.length === paging.limit;
	const expected = options.rows.filter((row) => there.has(row));
	expect(returned).toEqual(isCut ? expected.slice(0, returned.length) : expected);
}

/** No ID comes twice. */
export function expectNothingTwice({ rows }: List): void {
	const ids = rows.map(({ id }) => id).filter((id) => id !== undefined);
	expect(new Set(ids).size).toBe(ids.length);
}
