import { EVENTS } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import {
	groupRows,
	timeOf,
} from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/records.ts';

const HOUR = 3_600_000;
const noon = Date.parse('2026-03-02T12:00:00Z');

describe("a record's time", () => {
	it.each([
		['2026-03-02T12:00:00Z', noon, 0],
		['2026-03-02T06:00:00-06:00', noon, 0],
		['2026-03-02T17:30:00.000+0530', noon, 0],
		['2026-03-02T12:00:00', noon, 14],
		['2026-03-02 12:00:00', noon, 14],
		['2026-03-02', noon - 12 * HOUR, 38],
	])('of %s is known to some hours', (createdAt, ms, hours) => {
		expect(timeOf(EVENTS.newCall, { createdAt })).toEqual({ ms, toleranceMs: hours * HOUR });
	});

	it('is uncertain if its year is where a zone would be', () => {
		const time = timeOf(EVENTS.newCall, { createdAt: '03-02-2026' });
		expect(time?.toleranceMs).toBe(38 * HOUR);
	});

	it.each([undefined, null, '', 'soon', '2026-13-45T99:00:00Z', 1_772_452_800, {}])(
		'is unknown if it is %j',
		(createdAt) => {
			expect(timeOf(EVENTS.newCall, JSON.parse(JSON.stringify({ createdAt })))).toBeUndefined();
		},
	);
});

describe('records without an ID', () => {
	const createdAt = '2026-03-02T12:00:00Z';
	it.each([
		['calls to two phones', EVENTS.newCall, 'toPhone'],
		['calls from two phones', EVENTS.newCall, 'fromPhone'],
		['emails of two senders', EVENTS.newConversation, 'emailFrom'],
		['emails of one sender', EVENTS.newConversation, 'emailSubject'],
		['bids on two loads', EVENTS.newBid, 'loadId'],
	])('are two when they are %s of one second', (_what, event, field) => {
		const rows = ['a', 'b'].map((value) => ({
			createdAt,
			callDateTime: createdAt,
			[field]: value,
		}));
		expect(groupRows(event, rows)).toHaveLength(2);
		expect(new Set(groupRows(event, rows).map(({ key }) => key)).size).toBe(2);
	});
});
