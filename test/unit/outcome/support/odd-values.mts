/** What a call says; what is missing wasn't said, or can't be read. */
interface OddValue {
	extracted: object;
	says: Record<string, unknown>;
	/** Other fields of the event. */
	more: object;
}

const event = (extracted: object, says: Record<string, unknown>, more: object = {}): OddValue => ({
	...{ extracted, says, more },
});

/** Written by hand, as agents write. Some can't be read: those columns stay empty. */
export const ODD_VALUES: OddValue[] = [
	event({ eta: 1763676000 }, { eta: '2025-11-20T22:00:00.000Z' }),
	event({ eta: '1763676000000' }, { eta: '2025-11-20T22:00:00.000Z' }),
	event({ eta: '' }, {}),
	event({ eta: {} }, {}),
	event({ eta: [] }, {}),
	event({ eta: ['3 PM'] }, {}),
	event({ ETA: null, eta: '3 PM' }, { eta: '3 PM' }),
	event({ eta: { time: '3 PM', date: 'Friday' } }, { eta: '3 PM' }),
	event({ 'E.T.A.': '15:00' }, { eta: '15:00' }),
	event({ arrived: true }, {}),
	event({ arrived: 'no' }, {}),
	event({ arrived: '1:10 PM' }, { arrivedAt: '1:10 PM' }),
	event({ delay: 45 }, { delayed: true }),
	event({ delay: '45 minutes' }, { delayed: true, delayMinutes: 45 }),
	event({ delay: '0 minutes' }, { delayed: false, delayMinutes: 0 }),
	event({ delay: 'none' }, {}),
	event(
		{ delay: { reason: 'flat tire', minutes: 90 } },
		{ delayed: true, delayMinutes: 90, delayReason: 'flat tire' },
	),
	event({ delayMinutes: 0 }, { delayed: false, delayMinutes: 0 }),
	event({ on_time: 'no', delay_reason: 'no delay' }, { delayed: true }),
	event({ onTime: 'maybe' }, {}),
	event({ delay_reason: 'detention' }, { delayReason: 'detention' }),
	event({ tags: 'check_call,delay,detention' }, { delayed: true }),
	event({ tags: ['check call', 'on time'] }, { delayed: false }),
	event({ tags: 'delay', delayed: false }, { delayed: false }),
	event({}, { delayed: true }, { contentTags: 'check_call; Running Late' }),
	event({}, { optOut: true }, { contentTags: 'DO-NOT-CALL' }),
	event({}, { optOut: true }, { data: { contentTags: ['dnc'] } }),
	event({}, {}, { contentTags: 'called,callback' }),
	event({ offered_rate: '2.4k' }, { offeredRate: 2400 }),
	event({ offered_rate: '$2,450.50' }, { offeredRate: 2450.5 }),
	event({ offered_rate: 'between 2400 and 2600' }, {}),
	event({ offered_rate: '2400-2600' }, {}),
	event({ offered_rate: '$2.45/mile' }, {}),
	event({ offered_rate: '2.45 RPM' }, {}),
	event({ offered_rate: '10% over posted' }, {}),
	event({ offered_rate: 'twenty-four fifty' }, {}),
	event({ offered_rate: '$2,450 for 812 miles' }, {}),
	event({ posted_rate: 1900, target_rate: 2100 }, {}),
	event({ opted_out: 'y' }, { optOut: true }),
	event({ do_not_call: 'call back tomorrow' }, {}),
];
