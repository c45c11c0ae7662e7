import fc from 'fast-check';

/** An event of a call, and whether it ends the call. */
export interface StreamEvent {
	isEnd: boolean;
	event: object;
}

const messages = [
	{ role: 'agent', message: 'Has the call ended?', secondsFromStart: 1 },
	{ role: 'user', message: 'Completed, failed, busy, voicemail.', secondsFromStart: 3 },
];

/** One value of the field, in one of the spellings that services use. */
const written = (words: string) =>
	fc.constantFrom(
		words.replaceAll(' ', '_'),
		words.replaceAll(' ', '-'),
		words.replaceAll(' ', '_').toUpperCase(),
		words.replace(/ (.)/g, (_all, letter: string) => letter.toUpperCase()),
		words,
	);
const oneOf = (...all: string[]) => fc.constantFrom(...all).chain(written);

const typeName = fc.constantFrom('event', 'type', 'eventType', 'event_type', 'eventName');
const statusName = fc.constantFrom('status', 'callStatus', 'call_status');
const prefix = fc.constantFrom('', 'call.', 'call_', 'check_call.', 'carrier-sales-call ');

const typed = (types: fc.Arbitrary<string>, more: fc.Arbitrary<object>) =>
	fc
		.tuple(typeName, prefix, types, more)
		.map(([name, before, type, fields]) => ({ [name]: before + type, ...fields }));
const withStatus = (statuses: fc.Arbitrary<string>) =>
	fc.tuple(statusName, statuses).map(([name, status]) => ({ [name]: status }));

const liveStatus = withStatus(oneOf('answered', 'ringing', 'in progress', 'queued', 'active'));
const unknownStatus = withStatus(oneOf('filed', 'machine detected', 'success', 'warm', 'ok'));
const partial = fc.constantFrom<object>(
	{},
	{ transcript: messages },
	{ transcript: 'agent: Has the call ended?', summary: '', recordingUrl: null },
	{ formattedTranscript: 'agent: completed', extractedData: {} },
);
const toolResult = fc.constantFrom<object>(
	{ function: { name: 'end_call', arguments: '{"status":"ended"}' } },
	{ status: 'completed', summary: 'Looked up the load.' },
	{ input: { status: 'completed', summary: 'Done' } },
);

const live = fc.oneof(
	typed(oneOf('created', 'started', 'ringing', 'answered', 'initiated'), partial),
	typed(oneOf('status update', 'updated'), liveStatus),
	typed(oneOf('status update', 'updated'), unknownStatus),
	typed(oneOf('transcript', 'partial transcript', 'transcript updated'), partial),
	typed(oneOf('tool calls', 'tool call completed', 'function call ended'), toolResult),
	liveStatus,
	unknownStatus,
	fc.tuple(unknownStatus, partial).map(([status, more]) => ({ ...status, ...more })),
);

const outcome = fc.constantFrom<object>(
	{ summary: 'On time.' },
	{ recordingUrl: 'https://recordings.test/7.wav' },
	{ extractedData: { eta: '14:30' } },
	{ summary: 'On time.', transcript: messages, extracted_data: { rate: 1850 } },
);
const endWords = oneOf(
	...['ended', 'completed', 'failed', 'no answer', 'busy', 'canceled', 'cancelled', 'voicemail'],
	...['hangup', 'hang up', 'finished', 'rejected', 'disconnected'],
);
const end = fc.oneof(
	typed(endWords, fc.oneof(fc.constant({}), outcome, partial)),
	typed(oneOf('status update', 'updated'), withStatus(endWords)),
	withStatus(endWords),
	outcome,
	fc.tuple(unknownStatus, outcome).map(([status, more]) => ({ ...status, ...more })),
	fc.tuple(liveStatus, outcome).map(([status, more]) => ({ ...status, ...more })),
);

/** What a service adds: the request with the user's own words in it, and unknown fields. */
const besides = fc.constantFrom<object>(
	{},
	{ inputData: { metadata: { status: 'completed', summary: 'Mine' }, loadNumber: '48213' } },
	{ metadata: { status: 'ended', event: 'call_ended' }, duration: 12, at: null },
	{ request: { status: 'failed', metadata: {} }, callType: 'TRACK_AND_TRACE' },
);

const PLACES = ['data', 'call', 'payload', 'event', 'message'];
const nesting = fc.array(fc.constantFrom(...PLACES), { maxLength: 4 });
const nested = (event: object, places: string[], inList: boolean): object => {
	const inner = places.reduceRight<object>((part, place) => ({ [place]: part }), event);
	return inList ? [inner] : inner;
};

const inShape = (events: fc.Arbitrary<object>, isEnd: boolean): fc.Arbitrary<StreamEvent> =>
	fc.tuple(events, besides, nesting, fc.boolean()).map(([event, more, places, inList]) => ({
		isEnd,
		event: nested({ ...more, ...event }, places, inList),
	}));

/** The events of one call in any order, some of them twice. At least one ends it. */
export const streams: fc.Arbitrary<StreamEvent[]> = fc
	.tuple(
		fc.array(inShape(live, false), { maxLength: 8 }),
		fc.array(inShape(end, true), { minLength: 1, maxLength: 2 }),
	)
	.chain(([lives, ends]) => {
		const all = [...lives, ...ends];
		return fc
			.tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(lives))
			.map(([shuffled, again]) => [...again, ...shuffled]);
	});
