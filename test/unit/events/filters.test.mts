import { readEvents } from '../../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';
import {
	matchesFilters,
	type EventFilters,
} from '../../../nodes/CarrierLoadCommunicationsTrigger/deliver.ts';

const body = {
	...{ event: 'Call.Completed', loadNumber: '48213' },
	metadata: { team: 'north', attempt: 2, urgent: true, note: '', nothing: null },
};
const everything: EventFilters = {
	...{ mode: 'all', types: [], liveEvents: false, metadata: [], loadNumber: '' },
};

function starts(filters: Partial<EventFilters>, changes: object = {}) {
	const events = readEvents({ ...body, ...changes }, '2026-03-02T12:00:00.000Z');
	const [event] = Array.isArray(events) ? events : [];
	return event && matchesFilters(event, { ...everything, ...filters });
}

describe('the filter by event type', () => {
	it('ignores case', () => {
		expect(starts({ mode: 'only', types: ['call.completed'] })).toBe(true);
		expect(starts({ mode: 'only', types: ['call.failed'] })).toBe(false);
		expect(starts({ mode: 'only', types: ['call.failed'] }, { event: undefined })).toBe(false);
		expect(starts({ mode: 'split', types: ['call.failed'] })).toBe(true);
		expect(starts({})).toBe(true);
	});
});

describe('events during a call', () => {
	it.each([
		[{ event: 'tool_calls', function: { name: 'getLoad' } }],
		[{ event: 'transcript', formattedTranscript: 'Agent: Hi' }],
		[{ event: 'call.ringing' }],
		[{ event: 'call_answered' }],
		[{ type: 'status-update', event: undefined, status: 'IN_PROGRESS' }],
		[{ event: 'call.created' }],
	])('do not start the workflow unless the user wants them: %j', (changes) => {
		expect(starts({}, changes)).toBe(false);
		expect(starts({ mode: 'split', types: ['call.failed'] }, changes)).toBe(false);
		expect(starts({ liveEvents: true }, changes)).toBe(true);
	});

	it('start the workflow if their type is listed', () => {
		for (const mode of ['only', 'split'] as const) {
			expect(starts({ mode, types: ['call.ringing'] }, { event: 'call.ringing' })).toBe(true);
		}
	});

	it.each([
		[{ event: 'call_ended' }],
		[{ event: 'bid_created' }],
		[{ event: 'something.new' }],
		[{ event: 'status-update', status: 'no_answer' }],
		[{ event: undefined }],
	])('are not confused with others: %j starts the workflow', (changes) => {
		expect(starts({}, changes)).toBe(true);
	});
});

describe('the filter by metadata', () => {
	it.each([
		[{ key: 'team' }, true],
		[{ key: 'team', equals: 'north' }, true],
		[{ key: 'team', equals: 'south' }, false],
		[{ key: 'attempt', equals: '2' }, true],
		[{ key: 'urgent', equals: 'true' }, true],
		[{ key: 'note', equals: '' }, true],
		[{ key: 'nothing' }, true],
		[{ key: 'missing' }, false],
		[{ key: 'missing', equals: '' }, false],
		[{ key: 'constructor' }, false],
		[{ key: 'toString', equals: '' }, false],
	])('%j: %s', (condition, expected) => {
		expect(starts({ metadata: [condition] })).toBe(expected);
	});

	it('requires all conditions', () => {
		const metadata = [{ key: 'team' }, { key: 'attempt', equals: '3' }];
		expect(starts({ metadata })).toBe(false);
	});
});

describe('the filter by load', () => {
	it('checks the event and its metadata', () => {
		expect(starts({ loadNumber: ' 48213 ' })).toBe(true);
		expect(starts({ loadNumber: '48214' })).toBe(false);
		expect(starts({ loadNumber: '9' }, { loadId: 9 })).toBe(true);
		expect(starts({ loadNumber: '9' }, { metadata: { load_id: 9 } })).toBe(true);
	});

	it('finds a load in any format, and among several', () => {
		expect(starts({ loadNumber: 'Load #48213' })).toBe(true);
		expect(starts({ loadNumber: '48213' }, { loadNumber: 'LOAD 0048213' })).toBe(true);
		expect(starts({ loadNumber: '48214' }, { loadNumber: '48213, 48214' })).toBe(true);
		expect(starts({ loadNumber: '4821' })).toBe(false);
	});
});
