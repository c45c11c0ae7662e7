import { EVENTS } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import { groupRows } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/read/records.ts';

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
