import { readEvents } from '../../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';

const at = '2026-03-02T12:00:00.000Z';
function read(body: object, paths = {}) {
	const events = readEvents(body, at, { list: '', metadata: '', ...paths });
	if (!Array.isArray(events)) throw new Error(events.reason);
	return events.map(({ item }) => item);
}
const only = (body: object, paths = {}) => read(body, paths)[0];

describe('an event', () => {
	it('becomes an item with the recognized parts, and the payload as received', () => {
		const payload = {
			event: 'call.completed',
			id: 'evt_1',
			data: { callId: 7, conversationId: 17, status: 'COMPLETED', loadNumber: '48213' },
			metadata: { team: 'north' },
			extra: [1, null],
		};
		expect(read(payload)).toEqual([
			{
				...{ event: 'call.completed', callId: 7, conversationId: 17, status: 'COMPLETED' },
				...{ loadNumber: '48213', metadata: { team: 'north' }, receivedAt: at, payload },
			},
		]);
	});

	it('always has metadata, and only fields that the event has', () => {
		expect(read({})).toEqual([{ metadata: {}, receivedAt: at, payload: {} }]);
		for (const metadata of [null, 'x', 7, ['a']]) expect(only({ metadata })?.metadata).toEqual({});
	});

	it.each([
		['the top', { metadata: { a: 1 } }],
		['data', { data: { metadata: { a: 1 } } }],
		['call', { call: { metadata: { a: 1 } } }],
		['payload', { payload: { metadata: { a: 1 } } }],
		['event', { event: { metadata: { a: 1 } } }],
		['data.call', { data: { call: { metadata: { a: 1 } } } }],
		['text', { metadata: '{"a":1}' }],
		['data, the top being empty', { metadata: {}, data: { metadata: { a: 1 } } }],
	])('has its metadata in %s', (_place, body) => {
		expect(only(body)?.metadata).toEqual({ a: 1 });
	});

	it('has its metadata at the path the user sets', () => {
		const body = { attributes: [{ custom: { a: 1 } }], metadata: { b: 2 } };
		expect(only(body, { metadata: 'attributes.0.custom' })?.metadata).toEqual({ a: 1 });
		expect(only(body, { metadata: 'nowhere.at.all' })?.metadata).toEqual({ b: 2 });
	});

	it.each([
		[{ event: 'a' }, 'a'],
		[{ eventType: 'b', type: 'c' }, 'b'],
		[{ type: 'c' }, 'c'],
		[{ event: { type: 'd' } }, 'd'],
		[{ event: { name: 'e' } }, 'e'],
		[{ data: { event_type: 'f' } }, 'f'],
		[{ event: 5 }, undefined],
	])('has the type of %j: %s', (body, kind) => {
		expect(only(body)?.event).toBe(kind);
	});

	it.each([
		[{ callId: 1 }, 1],
		[{ data: { call_id: '2' } }, '2'],
		[{ call: { id: 3 } }, 3],
		[{ data: { id: 4, toPhone: '+13125550188' } }, 4],
		[{ id: 5, toPhone: '+13125550188', status: 'IN_PROGRESS' }, 5],
		[{ event: 'call.completed', id: 'evt_6', toPhone: '+13125550188' }, undefined],
		[{ id: 'evt_7', event: 'call.completed' }, undefined],
	])('has the call of %j: %s', (body, callId) => {
		expect(only(body)?.callId).toBe(callId);
	});

	it('has the status of the call, not that of the envelope', () => {
		expect(only({ status: 'ok', data: { status: 'COMPLETED' } })?.status).toBe('COMPLETED');
		expect(only({ status: 'FAILED' })?.status).toBe('FAILED');
	});

	it('finds load and conversation', () => {
		expect(only({ data: { load_id: 9, conversation: { id: 8 } } })).toMatchObject({
			...{ loadId: 9, conversationId: 8 },
		});
		expect(only({ call: { loadIds: ['48213'] } })?.loadId).toBe('48213');
		expect(only({ call: { loadIds: ['48213', '48214'] } })?.loadId).toBeUndefined();
	});
});

describe('several events', () => {
	it('are one item each, from an array', () => {
		expect(read([{ event: 'a' }, { event: 'b' }, 7])?.map(({ payload }) => payload)).toEqual([
			{ event: 'a' },
			{ event: 'b' },
			7,
		]);
		expect(read([])).toEqual([]);
	});

	it('are one item each, from an envelope that keeps its own fields', () => {
		const body = { batch: 'b1', events: [{ event: 'a', callId: 1 }, { event: 'b' }] };
		expect(read(body)).toEqual([
			{
				...{ event: 'a', callId: 1, metadata: {}, receivedAt: at },
				payload: { batch: 'b1', events: [{ event: 'a', callId: 1 }] },
			},
			{
				...{ event: 'b', metadata: {}, receivedAt: at },
				payload: { batch: 'b1', events: [{ event: 'b' }] },
			},
		]);
	});

	it('are found at the path the user sets, with the metadata of the envelope if they have none', () => {
		const body = { metadata: { a: 1 }, batch: { list: [{ callId: 1 }, { metadata: { b: 2 } }] } };
		const found = read(body, { list: 'batch.list' });
		expect(found?.map(({ metadata }) => metadata)).toEqual([{ a: 1 }, { b: 2 }]);
		expect(found?.[0]?.payload).toEqual({ metadata: { a: 1 }, batch: { list: [{ callId: 1 }] } });
		expect(read({ callId: 5 }, { list: 'batch.list' })).toHaveLength(1);
	});

	it('are not made from one event that contains a list', () => {
		for (const mark of ['event', 'metadata', 'callId', 'status']) {
			const body = { [mark]: 'x', events: [{ event: 'ringing' }, { event: 'answered' }] };
			expect(read(body)).toHaveLength(1);
		}
	});
});

describe('too many events', () => {
	const events = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
	it.each([
		['in an array', (count: number) => events(count)],
		['in an envelope', (count: number) => ({ events: events(count) })],
	])('%s are rejected, 500 are not', (_where, body) => {
		expect(read(body(500))).toHaveLength(500);
		expect(readEvents(body(501), at)).toMatchObject({ status: 413 });
	});

	it('are also rejected if the envelope would be copied for each', () => {
		const body = { events: events(500), padding: 'x'.repeat(40_000) };
		expect(readEvents(body, at)).toMatchObject({ status: 413 });
		expect(read({ ...body, events: events(2) })).toHaveLength(2);
	});
});

describe('the resume URL', () => {
	const url = 'https://n8n.example.com/webhook-waiting/231?signature=ab&wait=' + 'c'.repeat(32);
	const twice = (own: string) => {
		const metadata = JSON.stringify({ n8nResumeUrl: own, a: 1 });
		return { metadata, data: { raw: JSON.stringify({ metadata }) } };
	};

	it('of a Wait node is removed, too', () => {
		const own = 'https://n8n.example.com/webhook-waiting/231?signature=ab';
		const events = readEvents({ event: 'call_ended', ...twice(own) }, at);
		const [event] = Array.isArray(events) ? events : [];
		expect(event?.resumeUrl).toBe(own);
		expect(JSON.stringify(event?.item)).not.toContain('signature');
	});

	it.each([
		['metadata', { metadata: { n8nResumeUrl: url, a: 1 } }],
		['the request in the event', { inputData: { metadata: { n8nResumeUrl: url, a: 1 } } }],
		['metadata as text', { metadata: JSON.stringify({ n8nResumeUrl: url, a: 1 }) }],
		['metadata as text, twice', twice(url)],
	])('is found in %s, and left out of the item', (_where, body) => {
		const events = readEvents({ event: 'call_ended', ...body }, at);
		const [event] = Array.isArray(events) ? events : [];
		expect(event?.resumeUrl).toBe(url);
		expect(event?.item.metadata).toEqual({ a: 1 });
		expect(JSON.stringify(event?.item)).not.toContain('webhook-waiting');
	});
});

describe('keys such as __proto__', () => {
	it('remain ordinary keys', () => {
		const body: object = JSON.parse(
			'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"metadata":{"__proto__":{"polluted":1},"a":1}}',
		);
		const event = only(body, { metadata: '__proto__', list: 'constructor.prototype' });
		expect(event?.metadata).toMatchObject({ polluted: 1 });
		expect(only(body)?.metadata.a).toBe(1);
		expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false);
		expect(JSON.stringify(event?.payload)).toBe(JSON.stringify(body));
	});
});
