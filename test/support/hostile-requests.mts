import fc from 'fast-check';

const odd = fc.constantFrom(
	...[
		'0',
		'0',
		'0',
		'0',
		' ',
		'=',
		'\\',
		'"',
		'{',
		'[',
		'🚚',
		'\u0000',
		'\u200b',
		'wait=',
		'http:',
		'load ',
	],
	...['n8nResumeUrl":"https:', '/webhook-waiting/1?wait=', '__proto__', ',', '\ud800', '%3D'],
);
const long = fc
	.tuple(odd, fc.integer({ min: 1, max: 100_000 }))
	.map(([piece, size]) => `${piece.repeat(Math.ceil(size / piece.length))}!`);
const name = fc.constantFrom(
	...['event', 'type', 'status', 'metadata', 'callId', 'loadIds', 'loadNumber', 'transcript'],
	...['data', 'call', 'detail', 'events', 'message', 'payload', 'input', 'id', 'toPhone'],
	...['n8nResumeUrl', 'constructor', 'toString', 'hasOwnProperty', 'summary', 'contentTags'],
);
const leaf = fc.oneof(long, fc.constantFrom(null, true, -0, 1e308, '', 2 ** 53, [], {}));
const value = fc.oneof(
	{ weight: 3, arbitrary: leaf },
	fc.dictionary(name, leaf, { maxKeys: 4 }),
	fc.array(fc.dictionary(name, leaf, { maxKeys: 4 }), { maxLength: 4 }),
);
const nested = fc
	.tuple(fc.array(name, { maxLength: 8 }), fc.dictionary(name, value, { maxKeys: 6 }))
	.map(([places, inner]) => places.reduce<object>((part, place) => ({ [place]: part }), inner));
const repeatedly = (open: string, inner: string, close: string) =>
	fc
		.integer({ min: 1, max: 200_000 })
		.map((times) => `${open.repeat(times)}${inner}${close.repeat(times)}`);
const bodies = fc.oneof(
	{ weight: 4, arbitrary: nested.map((event) => JSON.stringify(event)) },
	{
		weight: 2,
		arbitrary: fc.array(nested, { maxLength: 8 }).map((events) => JSON.stringify({ events })),
	},
	// Deep, wide, and neither.
	repeatedly('[', '', ']'),
	repeatedly('{"data":', '1', '}'),
	repeatedly('', '{},', '').map((inner) => `[${inner.repeat(2)}{}]`),
	fc.integer({ min: 1, max: 300_000 }).map((count) => `{"events":[${'{},'.repeat(count)}{}]}`),
	fc.integer({ min: 1, max: 300_000 }).map((count) => `[${'"",'.repeat(count)}0]`),
	fc
		.integer({ min: 1, max: 20_000 })
		.map((count) => `{"metadata":"{\\"a\\":${'['.repeat(count)}"}`),
	long,
);
const type = fc.constantFrom(
	...['application/json', 'text/plain', 'application/cloudevents+json', 'multipart/form-data'],
	...['application/x-www-form-urlencoded', 'text/xml', ''],
);

/** Bodies that a hostile sender may send to a webhook, each with its content type; the same for a seed. */
export function hostileRequests(count: number, seed: number): Array<[body: string, type: string]> {
	return fc.sample(fc.tuple(bodies, type), { numRuns: count, seed });
}
