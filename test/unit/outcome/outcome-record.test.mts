import { outcomeOfEvent } from '../../../nodes/CarrierLoadCommunicationsTrigger/deliver.ts';
import { readEvents } from '../../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';
import {
	type MoreNames,
	OUTCOME_COLUMNS,
	outcomeRecord,
} from '../../../nodes/shared/outcome/outcomeRecord.ts';
import { ODD_VALUES } from './support/odd-values.mts';

const RECEIVED = '2026-11-20T14:06:00.000Z';

function ofEvent(body: object, names?: MoreNames) {
	const events = readEvents(body, RECEIVED);
	if (!Array.isArray(events) || !events[0]) throw new Error('There is no event');
	return outcomeOfEvent(events[0], { ...(names && { moreNames: names }), zone: 'UTC' });
}
const ended = (more: object) => ({ event: 'call_ended', callId: 7, ...more });
const listed = (more: object) => ({
	...{ id: 7, toPhone: '+13125550188', createdAt: '2026-11-20T14:05:00Z', loadIds: ['48213'] },
	...{ contentTags: null, summary: null, recordingUrl: null, transcript: null, ...more },
});

describe('the columns', () => {
	it('are the same, in the same order, for an event and a listed call', () => {
		const event = ofEvent(ended({ extractedData: { eta: '3 PM' } }));
		expect(Object.keys(event)).toEqual([...OUTCOME_COLUMNS, 'eventType', 'metadata']);
		expect(Object.keys(outcomeRecord(listed({})))).toEqual(OUTCOME_COLUMNS);
	});

	it('of a call that said nothing are empty, but for what identifies it', () => {
		const { callId, loadNumber, phone, outcome, ...others } = outcomeRecord(listed({}));
		expect([callId, loadNumber, phone, outcome]).toEqual(['7', '48213', '+13125550188', 'unknown']);
		expect(new Set(Object.values(others))).toEqual(new Set([null]));
	});

	it('have everything extracted as JSON text', () => {
		const extractedData = { seal: 'A-17', stop: { eta: '3 PM' } };
		expect(ofEvent(ended({ extractedData })).extracted).toBe(JSON.stringify(extractedData));
	});

	it('have the end of the call as the event says it, or when a listed call was created', () => {
		expect(ofEvent(ended({ createdAt: 1763676000 })).endedAt).toBe('2025-11-20T22:00:00.000Z');
		expect(ofEvent(ended({ endedAt: '2026-11-20T08:00:00-06:00' })).endedAt).toBe(
			'2026-11-20T14:00:00.000Z',
		);
		expect(ofEvent(ended({})).endedAt).toBe(RECEIVED);
		expect(outcomeRecord(listed({ summary: 'No answer.' })).endedAt).toBe(
			'2026-11-20T14:05:00.000Z',
		);
	});
});

describe('the load', () => {
	it.each([
		[{ loadNumber: 48213 }, '48213'],
		[{ metadata: { loadNumber: '48213' } }, '48213'],
		[{ inputData: { metadata: { loadId: 'L-7', dotNumber: 2 } } }, 'L-7'],
		[{ inputData: { dynamicVariables: { load_number: 'L-8' } } }, 'L-8'],
		[{ metadata: { shipment: '1' } }, null],
	])('of an event with %j is %j', (more, load) => {
		expect(ofEvent(ended(more)).loadNumber).toBe(load);
	});

	it('of a listed call about several loads is all of them', () => {
		expect(outcomeRecord(listed({ loadIds: ['1', '2'] })).loadNumber).toBe('1, 2');
	});
});

it.each(ODD_VALUES)('$extracted and $more say $says', ({ extracted, says, more }) => {
	const record = ofEvent(ended({ extractedData: extracted, ...more }));
	const columns = ['eta', 'arrivedAt', 'delayed', 'delayMinutes', 'delayReason', 'offeredRate'];
	const read = [...columns, 'optOut'].map((name) => [name, record[name]]);
	const given = read.filter(([, value]) => value !== null);
	expect(Object.fromEntries(given)).toEqual(says);
});

describe('a tag', () => {
	it.each(['mechanical_failure', 'load_rejected', 'appointment_cancelled', 'late_fee', 'rejected'])(
		'%s says nothing about the call',
		(contentTags) => {
			const { outcome, delayed, optOut } = outcomeRecord(listed({ contentTags }));
			expect([outcome, delayed, optOut]).toEqual(['unknown', null, null]);
		},
	);

	it.each([
		...[['no_delay', false] as const, ['on-time', false] as const],
		...[['running_late', true] as const, ['Late', true] as const, ['late,on_time', null] as const],
	])('%s means delayed: %j, in an event and in the list', (tags, delayed) => {
		expect(outcomeRecord(listed({ contentTags: tags })).delayed).toBe(delayed);
		expect(ofEvent(ended({ extractedData: { tags } })).delayed).toBe(delayed);
		expect(ofEvent(ended({ data: { contentTags: tags.split(',') } })).delayed).toBe(delayed);
	});
});

describe('an outcome', () => {
	it('without tags is voicemail if the summary says "Left a voicemail"', () => {
		expect(outcomeRecord(listed({ summary: 'Left a voicemail' })).outcome).toBe('voicemail');
	});

	it('is reached if the summary says that the driver will call back, unless no one answered', () => {
		const summary = 'Driver will call back in ten minutes with an ETA.';
		expect(outcomeRecord(listed({ summary })).outcome).toBe('reached');
		const agent = 'No answer. The agent will call back.';
		expect(outcomeRecord(listed({ summary: agent })).outcome).toBe('noAnswer');
	});

	it('of a wrong number is failed, with the summary', () => {
		const summary = 'Wrong number: a bakery answered.';
		expect(outcomeRecord(listed({ summary }))).toMatchObject({ outcome: 'failed', summary });
	});

	it("is not reached if only the agent's data says reached, as it does of every call", () => {
		const said = { reached: true, tags: 'voicemail,no_answer' };
		expect(ofEvent(ended({ extractedData: said })).outcome).toBe('voicemail');
		const alone = {
			extractedData: { reached: true },
			formattedTranscript: 'Agent: Please call back.',
		};
		expect(ofEvent(ended(alone)).outcome).toBe('unknown');
	});

	it('of a call in progress is unknown', () => {
		const call = listed({
			status: 'IN_PROGRESS',
			transcript: 'Agent: Hi\nDriver: Hello, who is this?',
		});
		expect(outcomeRecord(call)).toMatchObject({ outcome: 'unknown', endedAt: null });
	});
});

describe('an ETA that only the summary says', () => {
	const reached = (summary: string, more: object = {}) =>
		outcomeRecord(listed({ contentTags: 'check_call,reached', summary, ...more }));

	it.each([
		['Driver Luis is rolling on load 48213. ETA 8:30, on time, 55 miles out.', '8:30'],
		['Driver is late: flat tire. New ETA 17:45.', '17:45'],
		['Spoke with Luis. ETA 3 PM', '3 PM'],
		['Spoke with Luis. ETA is 3:15 p.m. CT. No issues.', '3:15 p.m. CT'],
		['Original ETA 3 PM, new ETA 5 PM.', '5 PM'],
		['ETA 8:30. Driver confirmed. ETA 8:30.', '8:30'],
	])('of "%s" is %s', (summary, eta) => {
		expect(reached(summary)).toMatchObject({ outcome: 'reached', eta });
	});

	it.each([
		...['ETA 8:30. Later: ETA 9:15.', 'ETA 3 PM to 5 PM.', 'ETA 3-5 PM.', 'ETA 8:30 or 9:00.'],
		...['ETA 8:30 tomorrow.', 'ETA 8:30, tomorrow.', 'No ETA 8:30.', 'Asked: ETA 3 PM?', 'ETA 8.'],
		...['ETA 25:00.', 'Tracking, ETA 3 PM.', 'ETA 3 PM if traffic is light.', 'Old ETA 3 PM.'],
		...["ETA 3 PM, which he can't make.", 'The ETA was 3 PM.', 'BETA 3 PM.', 'ETA soon.'],
	])('is not read from "%s"', (summary) => {
		expect(reached(`Driver said so. ${summary}`)).toMatchObject({ outcome: 'reached', eta: null });
	});

	it('counts only if a person was reached, and after what the agent extracted', () => {
		const voicemail = { contentTags: 'voicemail', summary: 'Left a voicemail. ETA 14:30.' };
		expect(outcomeRecord(listed(voicemail))).toMatchObject({ outcome: 'voicemail', eta: null });
		expect(outcomeRecord(listed({ summary: 'ETA 14:30.' }))).toMatchObject({
			...{ outcome: 'unknown', eta: null },
		});
		const both = { extractedData: { eta: '4 PM' }, summary: 'Spoke with Luis. ETA 3 PM.' };
		expect(ofEvent(ended(both)).eta).toBe('4 PM');
	});
});

describe('a late driver in a summary', () => {
	const tagged = (summary: string) =>
		outcomeRecord(listed({ contentTags: 'check_call,delay', summary }));

	it.each([
		['Driver is late: flat tire. New ETA 17:45.', '17:45'],
		[
			'Driver Sam Ellis is late on load 48213: held 3 hours at the last stop. New ETA 9:15.',
			'9:15',
		],
		['Driver is running late due to traffic. Updated ETA 3 PM.', '3 PM'],
	])('was reached, with a reason and a new ETA: "%s"', (summary, eta) => {
		expect(tagged(summary)).toMatchObject({ outcome: 'reached', delayed: true, eta });
	});

	it.each([
		...['Driver is late. New ETA 17:45.', 'Driver is late: flat tire.', 'New ETA 17:45.'],
		...['Driver is late: no ping from the tracking app. New ETA 17:45.'],
		...['Driver is late: flat tire. ETA 17:45.', 'Driver is late: flat tire. New ETA is unknown.'],
	])('may not have been reached: "%s"', (summary) => {
		expect(tagged(summary)).toMatchObject({ outcome: 'unknown', eta: null });
	});
});

describe('an opt-out', () => {
	it.each([
		...['Stop calling me.', "Don't call this number again.", 'Please remove me from your list.'],
		...[
			'Take us off the call list.',
			'I want to opt out.',
			'Do not call me, ever.',
			'Lose my number.',
		],
	])('counts if the person says "%s"', (words) => {
		const transcript = `Agent: Hi, this is Avery.\nDriver: ${words}`;
		expect(outcomeRecord(listed({ transcript })).optOut).toBe(true);
	});

	it.each([
		...["Don't call before eight.", 'Do not call the receiver.', 'Take us off the load.'],
		...['I opted out of the tracking app.', 'He never called back.', "I'm not opting out."],
	])('is not "%s"', (words) => {
		const transcript = `Agent: Say stop calling to opt out.\nDriver: ${words}`;
		expect(outcomeRecord(listed({ transcript })).optOut).toBeNull();
	});

	it('stays, regardless of what else the call says', () => {
		const said = { extractedData: { opted_out: 'no' }, contentTags: 'do_not_call' };
		expect(ofEvent(ended(said)).optOut).toBe(true);
		expect(ofEvent(ended({ extractedData: { opted_out: 'no' } })).optOut).toBe(false);
	});
});

it('More Names are read first, regardless of case and punctuation', () => {
	const extractedData = {
		'Arrival-Estimate': '4 PM',
		eta: '3 PM',
		all_in_price: '$1,900',
		pro: 'P-1',
	};
	const names = { eta: ['arrival estimate'], offeredRate: ['allInPrice'], loadNumber: ['pro'] };
	expect(ofEvent(ended({ extractedData }), names)).toMatchObject({
		...{ eta: '4 PM', offeredRate: 1900, loadNumber: 'P-1' },
	});
	expect(ofEvent(ended({ extractedData }))).toMatchObject({ eta: '3 PM', offeredRate: null });
});

describe('an event that is no outcome', () => {
	it.each([
		{ event: 'bid_created', loadId: 5, amount: 1800, metadata: { team: 'north' } },
		{ event: 'tool_calls', callId: 7, function: { name: 'getLoad' } },
		{ event: 'load_tendered', status: 'canceled', loadId: 5 },
		{ hello: 'world' },
	])('keeps all it has: %j', (body) => {
		const item = ofEvent(body);
		expect(item).not.toHaveProperty('outcome');
		expect(item).toMatchObject({ payload: body, metadata: body.metadata ?? {} });
		expect(item.eventType).toBe(body.event ?? null);
	});

	it('has its fields as columns', () => {
		expect(ofEvent({ event: 'bid_created', loadId: 5, amount: 1800 })).toMatchObject({
			...{ loadNumber: '5', amount: 1800 },
		});
	});
});

it('the metadata of the call is an object, without the URL that resumes its execution', () => {
	const url = 'https://n8n.test/webhook-waiting/7?wait=0123456789abcdef0123456789abcdef';
	const metadata = { team: 'north', n8nResumeUrl: url };
	const record = ofEvent(ended({ inputData: { metadata }, summary: `See ${url}` }));
	expect(record.metadata).toEqual({ team: 'north' });
	expect(JSON.stringify(record)).not.toContain('webhook-waiting');
});
