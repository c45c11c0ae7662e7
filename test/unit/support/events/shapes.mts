const metadata = { tmsId: 'T-9', team: 'north' };
const request = { toPhone: '+13125550188', nextStopIndex: 1, loadNumber: '48213', metadata };
const bare = { callId: 4711, loadNumber: '48213', toPhone: '+13125550188' };
const call = { ...bare, metadata };

const callEnded = {
	...{ event: 'call_ended', callId: 4711, createdAt: '2026-03-02T11:58:00Z' },
	recordingUrl: 'https://recordings.example.com/4711.mp3',
	formattedTranscript: 'Agent: Where are you?\nDriver: Just past Gary.',
	transcript: [
		{ role: 'agent', message: 'Where are you?', time: 1, endTime: 2, secondsFromStart: 1 },
		{ role: 'user', message: 'Just past Gary.', time: 3, endTime: 4, secondsFromStart: 3 },
	],
	extractedData: { eta: '14:30', onTime: true },
	inputData: request,
	...{ toPhone: '+13125550188', fromPhone: '+18155550100', callType: 'TRACK_AND_TRACE' },
};

/** The end of the same call, as different services report it, most likely first. */
export const shapes: Array<[name: string, body: object]> = [
	['likeliest', callEnded],
	['plain', { event: 'call.completed', ...call, status: 'COMPLETED' }],
	['plain, with type', { type: 'call.completed', ...call }],
	['plain, with eventType', { eventType: 'CALL_COMPLETED', ...call }],
	['in data', { event: 'call.completed', data: call }],
	['in call', { event: 'call.completed', call: { ...call, callId: undefined, id: 4711 } }],
	['in payload', { event: 'call.completed', payload: call }],
	['in event', { event: { type: 'call.completed', ...call } }],
	['in message', { message: { type: 'end-of-call-report', ...call } }],
	['in message and call', { message: { type: 'end-of-call-report', call: { ...call } } }],
	['request in input', { event: 'call.ended', callId: 4711, input: request }],
	['request in request', { event: 'call.ended', callId: 4711, request }],
	['request in data and input', { event: 'call.ended', data: { callId: 4711, input: request } }],
	[
		'request in data, call and inputData',
		{ event: 'call.ended', data: { call: { id: 4711, inputData: request } } },
	],
	['metadata next to the call', { event: 'call.ended', metadata, data: { call: bare } }],
	['metadata as text', { event: 'call.ended', ...call, metadata: JSON.stringify(metadata) }],
	[
		'with underscores',
		{
			event_type: 'call_ended',
			call_id: 4711,
			load_number: '48213',
			...{ to_phone: '+13125550188', metadata },
		},
	],
	['array', [{ event: 'call.completed', ...call }]],
	['list in events', { events: [{ event: 'call.completed', ...call }] }],
	['list in data', { data: [callEnded] }],
	['list in data of nested events', { data: [{ type: 'call.ended', payload: { call } }] }],
];
