import { identityOf } from '../../../nodes/CarrierLoadCommunicationsTrigger/duplicates.ts';
import { readEvents } from '../../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';
import type { Verifier } from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/method.ts';

const HOUR = 60 * 60 * 1000;
const paths = { list: 'batch', metadata: '' };

/** What identifies each event of a body. */
function identities(body: object, field = '', by: Partial<Verifier> = {}) {
	const events = readEvents(body, '2026-03-02T12:00:00.000Z', paths);
	if (!Array.isArray(events)) throw new Error(events.reason);
	const verifier = { secrets: ['secret'], ...by };
	return events.map((event, index) => identityOf(event, index, field, {}, verifier));
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

	it('is the ID next to its list and its place there, if it has no ID itself', () => {
		const [first, second] = identities({ id: 'b1', batch: [event, event] }, 'id');
		expect(first).not.toEqual(second);
		expect(identities({ id: 'b1', batch: [{ n: 3 }, {}] }, 'id')).toEqual([first, second]);
	});

	it('is its content if it has no ID, and then only for an hour', () => {
		expect(identity(event)).toEqual(identity({ ...event }));
		expect(identity(event)).not.toEqual(identity({ ...event, n: 2 }));
		expect(identity(event, 'missing')).toEqual(identity(event));
		expect(identity(event)?.rememberMs).toBe(HOUR);
	});

	it('is its content with what is around its list, which may say whose call it is', () => {
		const ended = { batch: [{ status: 'ended' }] };
		expect(identity({ ...ended, callId: 7 })).not.toEqual(identity({ ...ended, callId: 8 }));
	});

	it('is the signed ID if there is one', () => {
		const signedId = () => 'msg_1';
		expect(identity(event, '', { signedId })).toEqual(identity({}, '', { signedId }));
		expect(identity(event, '', { signedId })).not.toEqual(identity(event));
	});

	it('is remembered at least as long as a recorded request is valid', () => {
		expect(identity(event, '', { validForMs: 24 * HOUR })?.rememberMs).toBe(24 * HOUR);
		expect(identity(event, '', { validForMs: 8760 * HOUR })?.rememberMs).toBe(72 * HOUR);
	});

	it('is short for an event of any size', () => {
		expect(identity({ id: '__proto__'.repeat(1000) }, 'id')?.key).toHaveLength(16);
	});
});
