import { EVENTS } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import {
	walkWindows,
	type ReadRange,
} from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/read/windows.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** Where the windows of the last hour end, and what stopped the walk. */
async function walk(read: ReadRange) {
	const ends: number[] = [];
	const reading = { event: EVENTS.newCall, read, warn: () => undefined };
	try {
		for await (const { toMs } of walkWindows(reading, 0, HOUR)) ends.push(toMs);
	} catch (error) {
		return { ends, error };
	}
	return { ends };
}

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
