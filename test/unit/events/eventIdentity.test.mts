import { identityOf } from '../../../nodes/CarrierLoadCommunicationsTrigger/duplicates.ts';
import { readEvents } from '../../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';

const HOUR = 60 * 60 * 1000;

/** What identifies each event of a body. */
function identities(body: object, field = '', signedId?: string) {
	const events = readEvents(body, '2026-03-02T12:00:00.000Z');
	if (!Array.isArray(events)) throw new Error(events.reason);
	return events.map((event, index) => identityOf(event, index, field, signedId));
}
const identity = (...given: Parameters<typeof identities>) => identities(...given)[0];
const event = { eventId: 'e1', n: 1 };

describe('what identifies an event', () => {
	it('is the ID at the path the user sets', () => {
		const same = identity({ eventId: 'e1', n: 2 }, 'eventId');
		expect(identity(event, 'eventId')).toEqual(same);
		expect(identity(event, 'eventId')).not.toEqual(identity({ eventId: 'e2' }, 'eventId'));
		expect(identity(event, 'eventId')?.rememberMs).toBe(72 * HOUR);
	});

	it('is its content if it has no ID, and then only for an hour', () => {
		expect(identity(event)).toEqual(identity({ ...event }));
		expect(identity(event)).not.toEqual(identity({ ...event, n: 2 }));
		expect(identity(event, 'missing')).toEqual(identity(event));
		expect(identity(event)?.rememberMs).toBe(HOUR);
	});

	it('is the signed ID if there is one', () => {
		expect(identity(event, '', 'msg_1')).toEqual(identity({}, '', 'msg_1'));
		expect(identity(event, '', 'msg_1')).not.toEqual(identity(event));
	});

	it('is short for an event of any size', () => {
		expect(identity({ id: '__proto__'.repeat(1000) }, 'id')?.key).toHaveLength(16);
	});
});
