import { EVENTS } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import {
	OutOfTime,
	walkWindows,
	type ReadRange,
} from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/windows.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** Where the windows of the last hour end, and what stopped the walk. */
async function walk(read: ReadRange, hasTime = () => true) {
	const pace = { windowMs: HOUR };
	const ends: number[] = [];
	const reading = { event: EVENTS.newCall, read, hasTime, warn: () => undefined };
	try {
		for await (const { toMs } of walkWindows(reading, 0, HOUR, pace)) ends.push(toMs);
	} catch (error) {
		return { ends, pace, error };
	}
	return { ends, pace };
}

describe('a part of the list that takes longer than a poll may', () => {
	it('is read in shorter parts', async () => {
		const { ends, error } = await walk(async (from, to) => {
			if (to - from > HOUR / 3) throw new OutOfTime();
			return { rows: [] };
		});
		expect(error).toBeUndefined();
		expect(ends.at(-1)).toBe(HOUR);
	});

	it('is left to the next poll, which begins with a shorter part', async () => {
		const late: ReadRange = async () => await Promise.reject(new OutOfTime());
		const { ends, pace, error } = await walk(late, () => false);
		expect({ ends, error, next: pace.windowMs }).toEqual({ ends: [], next: HOUR / 2 });
	});

	it('fails visibly if it is ten seconds long', async () => {
		const late: ReadRange = async () => await Promise.reject(new OutOfTime());
		expect((await walk(late)).error).toBeInstanceOf(OutOfTime);
	});
});

describe('a window', () => {
	it('of fewer than 2,000 records is read once', async () => {
		let requests = 0;
		const rows = Array.from({ length: 1999 }, (_, id) => ({ id }));
		const { ends } = await walk(async (_from, _to, limit) => {
			requests++;
			return { rows: rows.slice(0, limit) };
		});
		expect({ ends, requests }).toEqual({ ends: [HOUR], requests: 1 });
	});

	it('that the service returns only in part fails visibly when it can be no shorter', async () => {
		const records = [5, 6, 7, 8].map((second) => ({
			...{ id: second, createdAt: new Date(second * SECOND).toISOString() },
		}));
		const { ends, error } = await walk(async (from, to) => {
			const inRange = records.filter(({ id }) => id * SECOND >= from && id * SECOND <= to);
			const rows = inRange.slice(0, 3);
			return { rows, ...(inRange.length > 3 && { hint: 'There are more' }) };
		});
		expect({ ends, message: Object(error).message }).toEqual({
			ends: [],
			message: 'There are more',
		});
	});
});
