import { types } from 'node:util';

/** Exit code when the request itself can't be carried out (flags, ports, environment, files). */
const EXIT_BAD_INPUT = 2;
/** Exit code when the start began and then failed. */
export const EXIT_FAILED = 1;

/**
 * An error that the person at the terminal can fix. The message is one line that names what is wrong
 * and what to do; it is printed without a stack trace.
 */
export class UserError extends Error {
	readonly exitCode: number;

	constructor(message: string, exitCode: number = EXIT_BAD_INPUT) {
		super(message);
		this.name = 'UserError';
		this.exitCode = exitCode;
	}
}

/** The message of anything thrown, on one line. */
export function errorMessage(error: unknown): string {
	const text = types.isNativeError(error) ? error.message : String(error);
	return text.replace(/\s*\n\s*/g, ' ').trim();
}

/** The code of a system error ('EACCES', 'ENOENT', …), or undefined. */
export function errorCode(error: unknown): string | undefined {
	if (!types.isNativeError(error) || !('code' in error)) return undefined;
	return typeof error.code === 'string' ? error.code : undefined;
}

const startedAt = Date.now();

/** Prints a step with the seconds since the start. */
export function printStep(text: string): void {
	const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${text}`);
}

export function print(text = ''): void {
	console.log(text);
}

/** Prints one line on the error stream. */
export function printError(text: string): void {
	console.error(text);
}

/** Prints a line that the next one overwrites in a terminal. */
export function printProgress(text: string): void {
	if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K          ${text}`);
	else console.log(`          ${text}`);
}

export function clearProgress(): void {
	if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
}

/** Prints names and values in two aligned columns. */
export function printTable(rows: Record<string, string>): void {
	const width = Math.max(...Object.keys(rows).map((name) => name.length));
	for (const [name, value] of Object.entries(rows)) print(`    ${name.padEnd(width)}  ${value}`);
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** What to stop before the process exits, in reverse order of starting. */
export class Shutdown {
	#stops: (() => Promise<void> | void)[] = [];
	#running: Promise<void> | undefined;

	/** Whether stopping has started: any error after that is only a consequence of it. */
	get started(): boolean {
		return this.#running !== undefined;
	}

	/** Registers how to stop something. Stops it right away when the shutdown has already started. */
	add(stop: () => Promise<void> | void): void {
		this.#stops.push(stop);
		if (this.started) void this.#stopAll();
	}

	/** Stops everything, then ends the process. A second caller waits for the first. */
	async exit(exitCode: number): Promise<never> {
		this.#running ??= this.#stopAll();
		await this.#running;
		process.exit(exitCode);
	}

	async #stopAll(): Promise<void> {
		for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) {
			try {
				await stop();
			} catch {
				// The rest still has to be stopped.
			}
		}
	}
}

/**
 * Shuts down when the process receives one of these signals.
 * @param announce tells the user, and returns whether this was a normal way to stop (exit code 0)
 */
export function exitOn(
	signals: (keyof typeof EXIT_CODES)[],
	shutdown: Shutdown,
	announce: () => boolean,
): void {
	for (const signal of signals) {
		process.on(signal, () => {
			if (shutdown.started) return;
			void shutdown.exit(announce() ? 0 : EXIT_CODES[signal]);
		});
	}
}
