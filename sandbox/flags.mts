import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import type { SandboxOptions } from './types.mts';

/** A flag that cannot be used: one line that names it and the mend. */
export class FlagError extends Error {}

const MAX_CALLS = 10_000_000;

export const HELP = `Usage: npm run sandbox -- [flags]

Starts the simulated service. It answers as the real one would, dials nobody, and
keeps nothing: all records are made up from the seed.

  --port NUMBER            Port to listen on, 0 for any free one (default 4010)
  --host ADDRESS           Address to listen on (default 127.0.0.1, this machine only)
  --calls NUMBER           Calls in each organization's history, up to ${MAX_CALLS} (default 1000)
  --seed NUMBER            Another number makes other records (default 1)
  --history-days NUMBER    Days up to now over which the history is spread (default 90)
  --call-delay MS          From placing a call to its outcome and webhook (default 3000)
  --latency MS             Added to every answer (default 0)
  --webhook-url URL        Where webhooks of ended calls go (default: nowhere)
  --webhook-secret TEXT    Signs webhooks: X-Signature: sha256=<hex> (default: unsigned)
  --started-events         Send call.started webhooks too
  --help                   Show this

Faults, the ledger and more: docs/sandbox.md. Stop with Ctrl-C.`;

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
	help: { type: 'boolean', short: 'h' },
} as const;

const known = (): string =>
	Object.keys(flags)
		.map((name) => `--${name}`)
		.join(', ');

function parse(args: string[]) {
	const { tokens } = parseArgs({ args, options: flags, strict: false, tokens: true });
	for (const token of tokens) {
		if (token.kind === 'positional') {
			throw new FlagError(`"${token.value}" is not a flag: use ${known()}`);
		}
		if (token.kind !== 'option') continue;
		const flag = Object.entries(flags).find(([name]) => name === token.name)?.[1];
		if (!flag) throw new FlagError(`${token.rawName} is not a flag of the sandbox: use ${known()}`);
		const lacking =
			token.value === undefined || (!token.inlineValue && token.value.startsWith('-'));
		if (flag.type === 'string' && lacking) {
			throw new FlagError(`--${token.name} needs a value, like --${token.name}=VALUE`);
		}
		if (flag.type === 'boolean' && token.value !== undefined) {
			throw new FlagError(`--${token.name} takes no value: leave "=${token.value}" out`);
		}
	}
	return parseArgs({ args, options: flags }).values;
}

function readNumber(
	name: string,
	text: string | undefined,
	usual: number,
	[min, max]: [number, number],
): number {
	if (text === undefined) return usual;
	const number = Number(text);
	if (!/^\d+$/.test(text) || number < min || number > max) {
		throw new FlagError(`--${name} must be a whole number from ${min} to ${max}, not "${text}"`);
	}
	return number;
}

function readUrl(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
	throw new FlagError(`--webhook-url must be an http or https address, not "${text}"`);
}

function readHost(text: string): string {
	if (text === 'localhost' || isIP(text) !== 0) return text;
	throw new FlagError(`--host must be an IP address or localhost, not "${text}"`);
}

const HOUR_MS = 3_600_000;

/** The sandbox's options as the command line gives them, or `help`. Throws a FlagError. */
export function parseFlags(args: string[]): SandboxOptions | 'help' {
	const given = parse(args);
	if (given.help) return 'help';
	if (given['webhook-secret'] === '') {
		throw new FlagError('--webhook-secret must not be empty: leave it out for unsigned webhooks');
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
		...(url === undefined ? {} : { webhookUrl: readUrl(url) }),
		...(secret === undefined ? {} : { webhookSecret: secret }),
	};
}
