import fc from 'fast-check';
import {
	matchNumber,
	lastDigits,
	readPhoneNumber,
} from '../../nodes/CarrierLoadCommunications/calls/phone.ts';
import { readDoNotCall } from '../../nodes/CarrierLoadCommunications/calls/rules/doNotCall.ts';
import { place } from '../../nodes/CarrierLoadCommunications/fields/place.ts';
import { isWanted, simplifiedEvent } from '../../nodes/CarrierLoadCommunicationsTrigger/deliver.ts';
import { identityOf } from '../../nodes/CarrierLoadCommunicationsTrigger/duplicates.ts';
import { parseBody, readEvents } from '../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';
import { ownResumeUrl } from '../../nodes/CarrierLoadCommunicationsTrigger/resume.ts';
import { checkTimestamp } from '../../nodes/CarrierLoadCommunicationsTrigger/verify/method.ts';
import {
	readVerifier,
	refuseAddress,
} from '../../nodes/CarrierLoadCommunicationsTrigger/verify/verifyRequest.ts';
import { simplify } from '../../nodes/shared/columns/columns.ts';
import { COLUMN_NAMES } from '../../nodes/shared/columns/columnNames.ts';
import { withoutResumeUrl } from '../../nodes/shared/events/resumeUrl.ts';
import { digitsOfMcNumber } from '../../nodes/shared/fields/locator.ts';
import { text as textField } from '../../nodes/shared/fields/simpleFields.ts';
import { callStage, endStatus, hasEnded } from '../../nodes/shared/outcome/callOutcome.ts';
import { readRetryAfter } from '../../nodes/shared/service/answerFailure.ts';
import { serviceMessage } from '../../nodes/shared/service/serviceWords.ts';
import { Redaction } from '../../nodes/shared/service/redaction.ts';
import { isWebPage } from '../../nodes/shared/service/answerFailure.ts';
import { parseExactJson } from '../../nodes/shared/service/json.ts';
import { readTime } from '../../nodes/shared/service/record.ts';
import { loadKey, loadsIn } from '../../nodes/shared/service/loads.ts';
import { audioFile } from '../../nodes/shared/service/recording.ts';
import { parametersOf } from '../unit/support/fields/parameters-of.mts';

/** A little less, because longer error bodies are not read at all. */
const SIZE = 99_000;
const LIMIT_MS = 50;
const RUNS = Number(process.env['TEXT_RUNS'] ?? 300);
const seed = 48_213;

/** Whatever some pattern repeats, and what may stand before and after it. */
const repeated = fc.constantFrom(
	...['0', '1', ' ', '\t', '\n', '=', '.', '-', '+', '(', ')', ',', ';', ':', '/', '\\', '"', "'"],
	...['{', '}', '[', ']', '<', '%', '#', '*', '_', 'a', 'x', 'A', 'é', '\u200b', '\u00a0', '🚚'],
	...['load ', 'ext ', 'x1', '1x', 'T0', ':00', '+1', 'aA', 'no_', 'call ', 'wait=', 'http:', '{{'],
	...['n8nResumeUrl', 'n8nResumeUrl:', 'n8nResumeUrl:http:', '\\u003d', '%3D', 'v1=', 'sha256=,'],
	...[
		'Bearer ',
		'filename=',
		"filename*=utf-8''",
		'../',
		'"a":',
		'MC ',
		', IL',
		' 60601',
		'](',
		'&#',
	],
);
const edge = fc.constantFrom(
	...['', '', '!', 'a', '1', ' ', '"', '}', '$', '\u0000', '\n', ')', ':1'],
	...['2026-03-02T12:00', '+1312555', 'load #', 'Bearer ', 'Basic ', 'sha256=', 't=1,v1=', '['],
	...['n8nResumeUrl":"https:', 'wait=', 'https://n8n.test/webhook-waiting/', 'MC', 'attachment; '],
);
interface Hostile {
	before: string;
	/** Repeated one after the other, or in turn. */
	pieces: string[];
	inTurn: boolean;
	after: string;
}
const hostile: fc.Arbitrary<Hostile> = fc.record({
	before: edge,
	pieces: fc.array(repeated, { minLength: 1, maxLength: 3 }),
	inTurn: fc.boolean(),
	after: edge,
});

/** What stopped n8n for seconds. */
const known: Hostile[] = [
	['', '0', '!'],
	['', ' ', 'x'],
	['2026-03-02T12:00', ' ', '!'],
	['a', '=', 'a'],
	['2', '0', '!'],
	['+1312555', ' ', '1x'],
	['n8nResumeUrl', '\\', '!'],
].map(([before = '', piece = '', after = '']) => ({
	before,
	pieces: [piece],
	inTurn: false,
	after,
}));

function write({ before, pieces, inTurn, after }: Hostile): string {
	const blocks = inTurn ? [pieces.join('')] : pieces;
	const size = SIZE / blocks.length;
	const middle = blocks.map((piece) => piece.repeat(Math.floor(size / piece.length)));
	return `${before}${middle.join('')}${after}`;
}

const credentials = [
	{ method: 'bearer', token: 'a-token-of-the-tests' },
	{ method: 'header', secret: 'a-secret-of-the-tests' },
	{ method: 'hmac', secret: 'a-secret-of-the-tests' },
	{ method: 'hmac', secret: 'a-secret-of-the-tests', prefix: 'v1=' },
	{ method: 'hmac', secret: 'a-secret-of-the-tests', timestampHeader: '', prefix: '' },
	{ method: 'standard', signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
];
const headerNames = [
	...['authorization', 'x-webhook-secret', 'x-signature', 'x-timestamp', 'webhook-id'],
	...['webhook-timestamp', 'webhook-signature'],
];

function verify(credential: object, text: string) {
	const verifier = readVerifier(credential);
	if (typeof verifier === 'string') throw new TypeError(verifier);
	const { checkHeaders, checkBody } = verifier;
	const headers = Object.fromEntries(headerNames.map((name) => [name, text]));
	checkHeaders?.(headers);
	checkBody?.(headers, Buffer.from('{}'), 0);
	checkBody?.({ ...headers, 'x-timestamp': '0', 'webhook-timestamp': '0' }, Buffer.from('{}'), 0);
}

function receiveEvent(body: object) {
	const parsed = parseBody(Buffer.from(JSON.stringify(body)));
	const events = 'body' in parsed ? readEvents(parsed.body, '2026-03-02T12:00:00.000Z') : [];
	for (const [index, event] of (Array.isArray(events) ? events : []).entries()) {
		isWanted(event, []);
		isWanted(event, ['x']);
		identityOf(event, index, 'id');
		simplifiedEvent(event, 'America/Chicago');
		endStatus(event.source);
	}
}

const flatten = simplify(COLUMN_NAMES, 'callId', true);
const redaction = new Redaction('a-token-of-the-tests');
const field = textField({ label: 'Load Number', required: true, maxLength: 1_000_000 });

type Parser = [name: string, parse: (text: string) => unknown];

const parsers: Parser[] = [
	['a load ID', loadKey],
	['the loads of a record', (text) => [loadsIn(text), loadsIn(text.split(','))]],
	['a time', readTime],
	['a timestamp header', (text) => checkTimestamp(text, 0)],
	...credentials.map(
		(credential): Parser => [
			`a header that proves who sends (${credential.method})`,
			(text) => verify(credential, text),
		],
	),
	['an IP address', (text) => refuseAddress('203.0.113.7, 2001:db8::/32', text)],
	['the type and status of an event', (text) => receiveEvent({ event: text, status: text })],
	[
		'the load and call of an event',
		(text) => receiveEvent({ loadIds: text, callId: text, id: text }),
	],
	[
		'the metadata of an event',
		(text) => receiveEvent({ metadata: text, data: { metadata: [text] } }),
	],
	['the transcript of an event', (text) => receiveEvent({ transcript: [{ message: text }, text] })],
	['the names of fields', (text) => receiveEvent({ [text]: 1, data: { [text]: text } })],
	[
		'the stage of a call',
		(text) => callStage({ message: { type: text, status: text, call: text } }),
	],
	[
		'a listed call',
		(text) => [hasEnded({ status: text, contentTags: text }), flatten({ date: text })],
	],
	['a resume URL', (text) => ownResumeUrl(text, 'https://n8n.test/webhook-waiting/1')],
	['text with a resume URL', withoutResumeUrl],
	['a body', (text) => [parseBody(Buffer.from(text)), parseExactJson(text), isWebPage(text)]],
	['a field of a workflow', (text) => field.read(parametersOf({ load: text }), 'load')],
	[
		'a city and state',
		(text) =>
			place({ label: 'Origin', example: '', about: '' }).read(parametersOf({ a: text }), 'a'),
	],
	['an MC number', digitsOfMcNumber],
	['a phone number', (text) => readPhoneNumber({ text, defaultCountry: 'US' } as never)],
	['a listed phone number', (text) => [matchNumber('+13125550188', text), lastDigits(text)]],
	['a do-not-call list', (text) => readDoNotCall(text, 'US')],
	[
		'an error body',
		(text) => [
			serviceMessage(text, redaction),
			serviceMessage(JSON.stringify({ message: text }), redaction),
		],
	],
	['a Retry-After header', (text) => readRetryAfter({ 'retry-after': text, date: text }, 0)],
	[
		'the type and URL of a recording',
		(text) => [
			audioFile({ 'content-type': 'audio/wav' }, new URL(`https://recordings.test/${text}`)),
			audioFile({ 'content-type': text }, new URL('https://recordings.test/7.wav')),
		],
	],
];

/** CPU time, which a busy machine may double; the best of ten tries, which a slow pattern never passes. */
function timeOf(parse: (text: string) => unknown, text: string): number {
	let best = Infinity;
	for (let attempt = 0; attempt < 10 && best > LIMIT_MS; attempt++) {
		const before = process.cpuUsage();
		try {
			parse(text);
		} catch (error) {
			// An invalid parameter is one, whatever it costs to say so.
			if (!(error instanceof Error)) throw error;
		}
		const { user, system } = process.cpuUsage(before);
		best = Math.min(best, (user + system) / 1000);
	}
	return best;
}

it.each(parsers)('100 kB of anything is read within 50 ms as %s', (_name, parse) => {
	const property = fc.property(hostile, (recipe) => {
		const took = timeOf(parse, write(recipe));
		if (took > LIMIT_MS) throw new Error(`${Math.round(took)} ms`);
	});
	const examples = known.map((recipe): [Hostile] => [recipe]);
	fc.assert(property, { seed, numRuns: RUNS, examples, endOnFailure: true });
});
