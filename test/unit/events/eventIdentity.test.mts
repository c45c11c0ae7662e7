import { identityOf } from '../../../nodes/CarrierLoadCommunicationsTrigger/deliver/eventIdentity.ts';
import type { Verifier } from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/methods/method.ts';

const HOUR = 60 * 60 * 1000;
const event = { eventId: 'e1', n: 1 };

function identity(
	source: unknown,
	{ headers = {}, index = 0, field = '', header = '', signature = undefined as unknown },
) {
	const settings = { eventIdField: field, eventIdHeader: header };
	const verifier = signature === undefined ? undefined : ({ signature } as Verifier);
	return identityOf(source, index, headers, settings, verifier);
}
const keysOf = (...given: Parameters<typeof identity>) => identity(...given).map(({ key }) => key);
const signature = { eventId: () => undefined, validForMs: 600_000 };

describe('what identifies an event', () => {
	it('is the ID at the path the user sets', () => {
		expect(keysOf(event, { field: 'eventId' })).toEqual(
			keysOf({ eventId: 'e1', n: 2 }, { field: 'eventId' }),
		);
		expect(keysOf(event, { field: 'eventId' })).not.toEqual(
			keysOf({ eventId: 'e2' }, { field: 'eventId' }),
		);
	});

	it('is its content if it has no ID, and then only for an hour', () => {
		expect(keysOf(event, {})).toEqual(keysOf({ ...event }, {}));
		expect(keysOf(event, {})).not.toEqual(keysOf({ ...event, n: 2 }, {}));
		expect(keysOf(event, { field: 'missing', header: 'missing' })).toEqual(keysOf(event, {}));
		expect(identity(event, {})).toMatchObject([{ rememberMs: HOUR }]);
		expect(identity(event, { field: 'eventId' })).toMatchObject([{ rememberMs: 72 * HOUR }]);
	});

	it('is the ID in the header the user names, for each event of the request', () => {
		const given = { headers: { 'x-event-id': 'h1' }, header: 'X-Event-ID' };
		expect(keysOf(event, given)).toEqual(keysOf({}, given));
		expect(keysOf(event, given)).not.toEqual(keysOf(event, { ...given, index: 1 }));
	});

	it('includes its content if the request is signed but the ID in the header is not', () => {
		const given = (id: string) =>
			keysOf(event, { headers: { 'x-event-id': id }, header: 'X-Event-ID', signature });
		expect(given('h1')[1]).toBe(given('h2')[1]);
		expect(given('h1')[0]).not.toBe(given('h2')[0]);
	});

	it('is the signed ID if there is one', () => {
		const signed = { eventId: () => 'msg_1', validForMs: 600_000 };
		expect(keysOf(event, { signature: signed })).toEqual(keysOf({}, { signature: signed }));
		expect(identity(event, { signature: signed })).toHaveLength(1);
	});

	it('is remembered at least as long as a recorded request is valid', () => {
		const day = { ...signature, validForMs: 24 * HOUR };
		expect(identity(event, { signature: day })).toMatchObject([{ rememberMs: 24 * HOUR }]);
		const year = { ...signature, validForMs: 8760 * HOUR };
		expect(identity(event, { signature: year })).toMatchObject([{ rememberMs: 72 * HOUR }]);
	});

	it('is short, whatever the event contains', () => {
		expect(keysOf({ id: '__proto__'.repeat(1000) }, { field: 'id' })[0]).toHaveLength(16);
	});
});
