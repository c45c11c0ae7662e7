import { parseArgs } from 'node:util';
import { codeOf, Problem, textOf } from '../process/problem.mts';

export interface Options {
	help: boolean;
	/** Run the main job once and end: exit code 0 only if it worked. */
	once: boolean;
	sandboxOnly: boolean;
	installOnly: boolean;
	reset: boolean;
	n8nPort: number;
	sandboxPort: number;
	/** Calls in the sandbox's history. */
	calls: number;
	/** From dialling to the outcome. */
	callDelayMs: number;
}

export const HELP = `Usage: npm start -- [flags]

Starts n8n with the Carrier Load Communications nodes, a simulated calling service (the sandbox)
and the example workflows, and runs the main job once: a TMS event places a check call, and the
call's outcome lands in a data table. Stays up until Ctrl-C.

  --once               run the main job and end: exit code 0 only if its row arrived
  --sandbox-only       start the sandbox alone, for an n8n of your own
  --install-only       build the package and install n8n, start nothing
  --reset              delete what is in playground/.data (says what), then start afresh
  --n8n-port N         port of n8n's editor (5678)
  --sandbox-port N     port of the sandbox (5690)
  --calls N            calls in the sandbox's history (1000)
  --call-delay MS      milliseconds from dialling to the outcome (3000)
  --help               this text

Environment:
  CARRIER_PLAYGROUND_CACHE   folder that keeps the installed n8n (2.2 GB) outside the checkout,
                             one per lockfile; playground/node_modules when not set
  CARRIER_PLAYGROUND_DATA    folder that n8n and the login are kept in; playground/.data when not set

Workflows, credentials and executions survive a restart. Only --reset deletes them.`;

const FLAGS = {
	help: { type: 'boolean', default: false },
	once: { type: 'boolean', default: false },
	'sandbox-only': { type: 'boolean', default: false },
	'install-only': { type: 'boolean', default: false },
	reset: { type: 'boolean', default: false },
	'n8n-port': { type: 'string', default: '5678' },
	'sandbox-port': { type: 'string', default: '5690' },
	calls: { type: 'string', default: '1000' },
	'call-delay': { type: 'string', default: '3000' },
} as const;

/**
 * Reads the flags.
 * @throws Problem naming the flag that cannot be used, and what to write instead
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv = process.env): Options {
	refuseFlagsThatNpmTook(env);
	const values = parseFlags(args);
	const options = {
		help: values.help,
		once: values.once,
		sandboxOnly: values['sandbox-only'],
		installOnly: values['install-only'],
		reset: values.reset,
		n8nPort: port('--n8n-port', values['n8n-port']),
		sandboxPort: port('--sandbox-port', values['sandbox-port']),
		calls: wholeNumber('--calls', values.calls, 0, 10_000_000),
		callDelayMs: wholeNumber('--call-delay', values['call-delay'], 0, 600_000),
	};
	refuseContradictions(options);
	return options;
}

function parseFlags(args: string[]) {
	try {
		return parseArgs({ args, options: FLAGS, strict: true, allowPositionals: false }).values;
	} catch (error) {
		throw new Problem(`${whatIsWrong(error)}: "npm start -- --help" lists the flags`);
	}
}

function whatIsWrong(error: unknown): string {
	const text = textOf(error);
	const named = /'(.+?)[' ]/.exec(text)?.[1] ?? 'A flag';
	if (codeOf(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `${named} is no flag`;
	if (codeOf(error) === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return `"${named}" is no flag`;
	return text.includes('does not take') ? `${named} takes no value` : `${named} needs a value`;
}

/** `npm start --once` gives the flag to npm, which drops it: the words before it were "--" short. */
function refuseFlagsThatNpmTook(env: NodeJS.ProcessEnv): void {
	const taken = Object.keys(FLAGS).find(
		(flag) => flag !== 'help' && env[`npm_config_${flag.replaceAll('-', '_')}`] !== undefined,
	);
	if (taken === undefined) return;
	throw new Problem(
		`--${taken} went to npm, not to the playground: write "npm start -- --${taken}"`,
	);
}

function refuseContradictions(options: Options): void {
	const modes = [
		['--once', options.once],
		['--sandbox-only', options.sandboxOnly],
		['--install-only', options.installOnly],
	].filter(([, given]) => given);
	if (modes.length > 1) {
		const names = modes.map(([name]) => name).join(' and ');
		throw new Problem(`${names} cannot be used together: leave one out`);
	}
	if (options.reset && (options.sandboxOnly || options.installOnly)) {
		throw new Problem('--reset is for a whole start: leave out --sandbox-only and --install-only');
	}
	if (options.n8nPort === options.sandboxPort) {
		throw new Problem(
			`--n8n-port and --sandbox-port are both ${options.n8nPort}: give them two different ports`,
		);
	}
}

function port(flag: string, text: string): number {
	return wholeNumber(flag, text, 1, 65_535);
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
	const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
	if (value >= min && value <= max) return value;
	throw new Problem(`${flag} is "${text}": give it a whole number from ${min} to ${max}`);
}
