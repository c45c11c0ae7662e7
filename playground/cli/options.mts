import { parseArgs } from 'node:util';
import { errorCode, errorMessage, UserError } from './terminal.mts';

export interface Options {
	help: boolean;
	/** Place the sample check call and exit: exit code 0 only if its outcome arrived. */
	once: boolean;
	/** Rebuild the package and reload it in n8n when a source changes. */
	watch: boolean;
	installOnly: boolean;
	/** An n8n that already runs, to use instead of the playground's own. */
	n8nUrl?: string | undefined;
	/** Run n8n in a container instead of the one that npm installed. */
	docker: boolean;
	reset: boolean;
	n8nPort: number;
	sandboxPort: number;
	/** Past calls in the sandbox. */
	calls: number;
	/** From placing a call to its outcome. */
	callDelayMs: number;
}

export const HELP = `Usage: npm start -- [options]

Starts n8n with the Carrier Load Communications nodes, a simulated calling service (the sandbox)
and the example workflows. Then places one sample check call: a TMS event starts the call, and its
outcome lands in a data table. No real phone rings. Runs until you press Ctrl-C.

  --once               place the sample check call, then exit (exit code 0 if its outcome arrived)
  --install-only       build the package and install n8n without starting anything
  --watch              rebuild the package and reload it in n8n when a source file changes
                       ("npm run dev")
  --reset              delete your workflows, credentials and executions in playground/.data
                       (lists them first), then start fresh
  --n8n URL            use an n8n that already runs on this machine and has this package, instead of
                       starting one; needs an API key in CARRIER_N8N_API_KEY
  --docker             run n8n's container image with Docker or Podman, instead of installing n8n
  --n8n-port N         port for the n8n editor (default 5678)
  --sandbox-port N     port for the sandbox (default 5690)
  --calls N            number of past calls in the sandbox (default 1000)
  --call-delay MS      milliseconds from placing a call to its outcome (default 3000)
  --help               show this help

Environment variables:
  CARRIER_PLAYGROUND_CACHE   folder for the n8n installation (2.2 GB), to share it between checkouts
                             (default: playground/node_modules)
  CARRIER_N8N_API_KEY        for --n8n: an API key with all scopes for workflows, credentials, data tables
                             and executions
  CARRIER_PLAYGROUND_DATA    folder for n8n's data and your login (default: playground/.data)
  CARRIER_PLAYGROUND_PREBUILT=1   without a C++ compiler: download n8n's database driver from GitHub,
                             the only thing installed without a checksum

Your workflows, credentials and executions are kept between starts. Only --reset deletes them.`;

const FLAGS = {
	help: { type: 'boolean', default: false },
	once: { type: 'boolean', default: false },
	'install-only': { type: 'boolean', default: false },
	watch: { type: 'boolean', default: false },
	reset: { type: 'boolean', default: false },
	n8n: { type: 'string' },
	docker: { type: 'boolean', default: false },
	'n8n-port': { type: 'string', default: '5678' },
	'sandbox-port': { type: 'string', default: '5690' },
	calls: { type: 'string', default: '1000' },
	'call-delay': { type: 'string', default: '3000' },
} as const;

/**
 * Parses the command line.
 * @throws UserError that names the option that can't be used and says what to write instead
 */
export function parseOptions(args: string[], env: NodeJS.ProcessEnv = process.env): Options {
	rejectFlagsConsumedByNpm(env);
	const values = parseFlags(args);
	const options = {
		help: values.help,
		once: values.once,
		installOnly: values['install-only'],
		watch: values.watch,
		reset: values.reset,
		n8nUrl: values.n8n,
		docker: values.docker,
		n8nPort: port('--n8n-port', values['n8n-port']),
		sandboxPort: port('--sandbox-port', values['sandbox-port']),
		calls: wholeNumber('--calls', values.calls, 0, 1_000_000),
		callDelayMs: wholeNumber('--call-delay', values['call-delay'], 0, 600_000),
	};
	rejectConflicts(options);
	return options;
}

function parseFlags(args: string[]) {
	try {
		return parseArgs({ args, options: FLAGS, strict: true, allowPositionals: false }).values;
	} catch (error) {
		throw new UserError(
			`${describeParseError(error)}. Run "npm start -- --help" for the list of options.`,
		);
	}
}

function describeParseError(error: unknown): string {
	const text = errorMessage(error);
	const named = /'(.+?)[' ]/.exec(text)?.[1] ?? 'An option';
	if (errorCode(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `${named} is not an option`;
	if (errorCode(error) === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
		return `"${named}" is not an option`;
	return text.includes('does not take')
		? `${named} does not take a value`
		: `${named} needs a value`;
}

/** `npm start --once` gives the option to npm, which drops it: a "--" is missing before it. */
function rejectFlagsConsumedByNpm(env: NodeJS.ProcessEnv): void {
	const taken = Object.keys(FLAGS).find(
		(flag) => flag !== 'help' && env[`npm_config_${flag.replaceAll('-', '_')}`] !== undefined,
	);
	if (taken === undefined) return;
	throw new UserError(
		`npm took --${taken} for itself. Write "npm start -- --${taken}", with "--" before the options.`,
	);
}

function rejectConflicts(options: Options): void {
	const modes = [
		['--once', options.once],
		['--install-only', options.installOnly],
		['--watch', options.watch],
	].filter(([, given]) => given);
	if (modes.length > 1) {
		const names = modes.map(([name]) => name).join(' and ');
		throw new UserError(`${names} cannot be used together. Leave one out.`);
	}
	if (options.n8nUrl !== undefined) {
		const other = Object.entries({
			'--docker': options.docker,
			'--watch': options.watch,
			'--install-only': options.installOnly,
			'--reset': options.reset,
		}).find(([, given]) => given);
		if (other !== undefined)
			throw new UserError(`--n8n and ${other[0]} cannot be used together. Leave one out.`);
	}
	if (options.docker && options.installOnly) {
		throw new UserError('--docker installs nothing, so it cannot be used with --install-only.');
	}
	if (options.reset && options.installOnly) {
		throw new UserError('--reset cannot be used with --install-only.');
	}
	if (options.n8nPort === options.sandboxPort) {
		throw new UserError(
			`--n8n-port and --sandbox-port are both ${options.n8nPort}. Choose two different ports.`,
		);
	}
}

function port(flag: string, text: string): number {
	return wholeNumber(flag, text, 1, 65_535);
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
	const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
	if (value >= min && value <= max) return value;
	throw new UserError(`${flag} must be a whole number from ${min} to ${max}, not "${text}".`);
}
