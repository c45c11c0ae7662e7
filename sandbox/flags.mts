import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import type { SandboxOptions } from './types.mts';
import { EVENT_SHAPES, type EventShape } from './webhooks.mts';

/** An invalid option: one line that names it and says what to write instead. */
export class FlagError extends Error {}

const MAX_CALLS = 1_000_000;

export const HELP = `Usage: npm run sandbox -- [options]

Starts the simulated calling service. It responds like the real one, but no phone rings,
and nothing is stored: all records are made up from the seed.

  --port NUMBER            Port to listen on, 0 for any free port (default 4010)
  --host ADDRESS           IP address to listen on (default 127.0.0.1, this machine only)
  --calls NUMBER           Past calls of each organization, up to ${MAX_CALLS} (default 1000)
  --seed NUMBER            Use another number for different records (default 1)
  --history-days NUMBER    Number of days the past calls are spread over (default 90)
  --call-delay MS          From placing a call to its outcome and webhook (default 3000)
  --latency MS             Delay before each response (default 0)
  --webhook-url URL        Where to send an event when a call ends (default: nowhere)
  --webhook-secret TEXT    Signs events with X-Signature: sha256=<hex> (default: unsigned)
  --started-events         Also send an event when a call starts (call.started)
  --events SHAPE           Shape of the events: a, plain, nested or list; sends events
                           during a call, too (default nested, without)
  --help                   Show this help

Open the printed URL in a browser to watch calls, listen to recordings and send events.
Faults and everything else: docs/contributing/sandbox.md. Press Ctrl-C to stop.`;

const flags = {
	port: { type: 'string' },
	host: { type: 'string' },
	calls: { type: 'string' },
	seed: { type: 'string' },
	'history-days': { type: 'string' },
	'call-delay': { type: 'string' },
	latency: { type: 'string' },
	'webhook-url': { type: 'string' },
	'webhook-secret': { type: 'string' },
	'started-events': { type: 'boolean' },
	events: { type: 'string' },
	help: { type: 'boolean', short: 'h' },
} as const;

const optionList = (): string =>
	Object.keys(flags)
		.map((name) => `--${name}`)
		.join(', ');

function parse(args: string[]) {
	const { tokens } = parseArgs({ args, options: flags, strict: false, tokens: true });
	for (const token of tokens) {
		if (token.kind === 'positional') {
			throw new FlagError(`"${token.value}" is not an option. Options: ${optionList()}`);
		}
		if (token.kind !== 'option') continue;
		const flag = Object.entries(flags).find(([name]) => name === token.name)?.[1];
		if (!flag) throw new FlagError(`${token.rawName} is not an option. Options: ${optionList()}`);
		const lacksValue =
			token.value === undefined || (!token.inlineValue && token.value.startsWith('-'));
		if (flag.type === 'string' && lacksValue) {
			throw new FlagError(`--${token.name} needs a value: --${token.name}=VALUE`);
		}
		if (flag.type === 'boolean' && token.value !== undefined) {
			throw new FlagError(`--${token.name} does not take a value. Remove "=${token.value}".`);
		}
	}
	return parseArgs({ args, options: flags }).values;
}

function readNumber(
	name: string,
	text: string | undefined,
	defaultValue: number,
	[min, max]: [number, number],
): number {
	if (text === undefined) return defaultValue;
	const number = Number(text);
	if (!/^\d+$/.test(text) || number < min || number > max) {
		throw new FlagError(`--${name} must be a whole number from ${min} to ${max}, not "${text}"`);
	}
	return number;
}

function readUrl(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
	throw new FlagError(`--webhook-url must be an http or https URL, not "${text}"`);
}

function readShape(text: string): EventShape {
	const shape = EVENT_SHAPES.find((each) => each === text);
	if (shape !== undefined) return shape;
	throw new FlagError(`--events must be one of ${EVENT_SHAPES.join(', ')}, not "${text}"`);
}

function readHost(text: string): string {
	if (text === 'localhost' || isIP(text) !== 0) return text;
	throw new FlagError(`--host must be an IP address or localhost, not "${text}"`);
}

const HOUR_MS = 3_600_000;

/** Parses the command line into the sandbox's options, or `help`. Throws a FlagError. */
export function parseFlags(args: string[]): SandboxOptions | 'help' {
	const given = parse(args);
	if (given.help) return 'help';
	if (given['webhook-secret'] === '') {
		throw new FlagError(
			'--webhook-secret must not be empty. Leave it out to send unsigned events.',
		);
	}
	const url = given['webhook-url'];
	const secret = given['webhook-secret'];
	return {
		port: readNumber('port', given.port, 4010, [0, 65_535]),
		host: readHost(given.host ?? '127.0.0.1'),
		calls: readNumber('calls', given.calls, 1000, [0, MAX_CALLS]),
		seed: readNumber('seed', given.seed, 1, [0, 1_000_000]),
		historyDays: readNumber('history-days', given['history-days'], 90, [1, 3650]),
		callDelayMs: readNumber('call-delay', given['call-delay'], 3000, [0, HOUR_MS]),
		latencyMs: readNumber('latency', given.latency, 0, [0, HOUR_MS]),
		startedEvents: given['started-events'] ?? false,
		...(given.events === undefined ? {} : { events: readShape(given.events) }),
		...(url === undefined ? {} : { webhookUrl: readUrl(url) }),
		...(secret === undefined ? {} : { webhookSecret: secret }),
	};
}
