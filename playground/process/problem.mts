import { types } from 'node:util';

/** Exit code of a start that was asked for something it cannot do (flags, ports, environment, files). */
export const BAD_INPUT = 2;
/** Exit code of a start that was able to begin and then failed. */
export const FAILED = 1;

/**
 * A failure that the person at the terminal can mend. Its message is one line that names the thing
 * and the mend; it is printed without a stack.
 */
export class Problem extends Error {
	readonly exitCode: number;

	constructor(message: string, exitCode: number = BAD_INPUT) {
		super(message);
		this.name = 'Problem';
		this.exitCode = exitCode;
	}
}

/** The text of anything thrown, on one line. */
export function textOf(error: unknown): string {
	const text = types.isNativeError(error) ? error.message : String(error);
	return text.replace(/\s*\n\s*/g, ' ').trim();
}

/** The code of a system error ('EACCES', 'ENOENT', …), or undefined. */
export function codeOf(error: unknown): string | undefined {
	if (!types.isNativeError(error) || !('code' in error)) return undefined;
	return typeof error.code === 'string' ? error.code : undefined;
}
