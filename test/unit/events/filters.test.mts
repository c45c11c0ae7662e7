import type { CallEvent } from '../../../nodes/CarrierLoadCommunicationsTrigger/parse/callEvent.ts';
import {
	isWanted,
	readKinds,
} from '../../../nodes/CarrierLoadCommunicationsTrigger/deliver/filters.ts';

const event: CallEvent = {
	...{ event: 'Call.Completed', loadNumber: '48213', receivedAt: '', payload: null },
	metadata: { team: 'north', attempt: 2, urgent: true, note: '', nothing: null, __proto__: {} },
};
const wants = (filters: object, changes: object = {}) =>
	isWanted({ ...event, ...changes }, { metadata: [], loadNumber: '', ...filters });

describe('the kinds', () => {
	it('are compared without regard to case and spaces', () => {
		expect(readKinds(' call.completed , CALL.failed,, call.completed')).toEqual([
			'call.completed',
			'call.failed',
		]);
		expect(wants({ kinds: ['call.completed'] })).toBe(true);
		expect(wants({ kinds: ['call.failed'] })).toBe(false);
		expect(wants({ kinds: ['call.failed'] }, { event: undefined })).toBe(false);
		expect(wants({})).toBe(true);
	});
});

describe('the metadata', () => {
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
	])('holds %j: %s', (condition, expected) => {
		expect(wants({ metadata: [condition] })).toBe(expected);
	});

	it('has to fulfil all conditions', () => {
		const metadata = [{ key: 'team' }, { key: 'attempt', equals: '3' }];
		expect(wants({ metadata })).toBe(false);
	});
});

describe('the load', () => {
	it('is looked for in the event and in its metadata', () => {
		expect(wants({ loadNumber: ' 48213 ' })).toBe(true);
		expect(wants({ loadNumber: '48214' })).toBe(false);
		expect(wants({ loadNumber: '9' }, { loadId: 9 })).toBe(true);
		expect(wants({ loadNumber: '9' }, { metadata: { load_id: 9 } })).toBe(true);
	});
});
