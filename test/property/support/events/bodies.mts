import fc from 'fast-check';

const names = fc.constantFrom(
	...['event', 'type', 'metadata', 'data', 'call', 'payload', 'events', 'id', 'callId', 'status'],
	...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'loadIds'],
	...['n8nResumeUrl', 'toPhone', 'loadNumber', '', 'polluted', 'conversation', 'json', 'error'],
);
const key = fc.oneof({ weight: 4, arbitrary: names }, fc.string({ maxLength: 6 }));
const leaf = fc.oneof(
	fc.string({ maxLength: 12 }),
	fc.uint8Array({ maxLength: 6 }).map((array) => Buffer.from(array).toString('latin1')),
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constantFrom(null, '', '{"polluted":1}', 1e308, 'call.completed', 'http://127.0.0.1/rest/'),
);
const { value: anyJson } = fc.letrec<{ value: unknown; holder: unknown }>((tie) => ({
	value: fc.oneof({ maxDepth: 4, depthSize: 'small' }, leaf, tie('holder')),
	holder: fc.oneof(
		fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(asObjectText),
		fc.array(tie('value'), { maxLength: 4 }),
	),
}));

/** Kept as text, so that a key like __proto__ remains a key. */
class Json {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

function asObjectText(entries: [string, unknown][]): Json {
	return new Json(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`)}}`);
}

function write(value: unknown): string {
	if (value instanceof Json) return value.text;
	if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
	return JSON.stringify(value) ?? 'null';
}

const json = anyJson.map((value) => Buffer.from(write(value)));

/** A body with some bytes changed, removed or inserted. */
const mutated = fc
	.tuple(
		json,
		fc.array(fc.tuple(fc.nat(400), fc.nat(255), fc.nat(2)), { minLength: 1, maxLength: 3 }),
	)
	.map(([body, changes]) => {
		let bytes = [...body];
		for (const [place, byte, way] of changes) {
			const at = place % (bytes.length + 1);
			bytes = [
				...bytes.slice(0, at),
				...(way === 2 ? [] : [byte]),
				...bytes.slice(at + (way === 0 ? 1 : 0)),
			];
		}
		return Buffer.from(bytes);
	});

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

/** Bodies that strangers may send: any JSON, corrupted JSON, any bytes. */
export const bodies = fc.oneof(
	{ weight: 4, arbitrary: json },
	{ weight: 3, arbitrary: mutated },
	bytes,
);

const headerNames = [
	'content-type',
	'x-signature',
	'x-timestamp',
	'authorization',
	'x-forwarded-for',
];
const headerName = fc.constantFrom(...headerNames, 'cookie', 'x-event-id', 'accept', 'x-hook');
const headerText = fc.oneof(
	fc.stringMatching(/^[\x21-\x7e]([\x20-\x7e]{0,30}[\x21-\x7e])?$/),
	fc.constantFrom('sha256=', 'sha256=00', 'application/json', 'text/plain; charset=utf-16', '1'),
	fc.constantFrom('multipart/form-data', 'application/x-www-form-urlencoded', 'Basic Og==', '-1'),
	fc.nat().map(() => String(Math.floor(Date.now() / 1000))),
	fc.stringMatching(/^sha256=[0-9a-f]{64}$/),
);

/** Headers that a trigger may read, with values that strangers may send. */
export const headers = fc.dictionary(headerName, headerText, { maxKeys: 5 });
