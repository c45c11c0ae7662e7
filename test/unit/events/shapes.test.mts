import { readEvents } from '../../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';
import { shapes } from '../support/events/shapes.mts';

const at = '2026-03-02T12:00:00.000Z';

function itemOf(body: object) {
	const events = readEvents(body, at);
	if (!Array.isArray(events)) throw new Error(events.reason);
	expect(events).toHaveLength(1);
	return events[0]?.item;
}

describe('the end of a call', () => {
	it.each(shapes)('has its metadata and its call with default settings: %s', (_name, body) => {
		expect(itemOf(body)).toMatchObject({
			metadata: { tmsId: 'T-9', team: 'north' },
			...{ callId: 4711, loadNumber: '48213', toPhone: '+13125550188' },
		});
	});

	it.each(shapes)('is recognized in an event with prototype keys: %s', (_name, body) => {
		const text = JSON.stringify(body).replace('{', '{"__proto__":{"metadata":{"x":1}},');
		if (Array.isArray(body)) return;
		expect(itemOf(JSON.parse(text))?.metadata).toEqual({ tmsId: 'T-9', team: 'north' });
		expect('metadata' in {}).toBe(false);
	});
});

describe('the most likely event', () => {
	it('becomes an item with everything a workflow needs', () => {
		const [, body] = shapes[0] ?? [];
		expect(itemOf(Object(body))).toEqual({
			...{ event: 'call_ended', callId: 4711, loadNumber: '48213' },
			...{ toPhone: '+13125550188', fromPhone: '+18155550100' },
			recordingUrl: 'https://recordings.example.com/4711.mp3',
			transcript: 'Agent: Where are you?\nDriver: Just past Gary.',
			extracted: { eta: '14:30', onTime: true },
			metadata: { tmsId: 'T-9', team: 'north' },
			receivedAt: at,
			payload: body,
		});
	});

	it('has a transcript as text even if only the messages come', () => {
		const [, body] = shapes[0] ?? [];
		const messagesOnly = { ...Object(body), formattedTranscript: undefined };
		expect(itemOf(messagesOnly)?.transcript).toBe('agent: Where are you?\nuser: Just past Gary.');
	});

	it('has the metadata at the path the user sets, if there is any', () => {
		const [, body] = shapes[0] ?? [];
		const paths = { list: '', metadata: 'extractedData' };
		const events = readEvents(Object(body), at, paths);
		expect(Array.isArray(events) && events[0]?.item.metadata).toEqual({
			eta: '14:30',
			onTime: true,
		});
	});
});

describe('a bid', () => {
	it('becomes an item', () => {
		const body = {
			...{ event: 'bid_created', loadId: '48213', amount: 2150, notes: 'Can pick up at 8' },
			...{ url: 'https://x.example.com', source: 'call', carrier: { mcNumber: '123456' } },
			metadata: { tmsId: 'T-9' },
		};
		expect(itemOf(body)).toEqual({
			...{ event: 'bid_created', loadId: '48213', metadata: { tmsId: 'T-9' } },
			...{ receivedAt: at, payload: body },
		});
	});
});

describe('metadata', () => {
	it('is found up to four levels deep', () => {
		const nested = (levels: number): object =>
			levels === 0 ? { metadata: { a: 1 } } : { data: nested(levels - 1) };
		expect(itemOf(nested(4))?.metadata).toEqual({ a: 1 });
		expect(itemOf(nested(5))?.metadata).toEqual({});
	});
});
