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
