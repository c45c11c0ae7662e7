const LONGEST = 500;

/** The text of anything thrown: never a stack, and never throws. */
export function textOf(thrown: unknown): string {
	try {
		const text = thrown instanceof Error ? thrown.message : wordsOf(thrown);
		return text.slice(0, LONGEST) || UNKNOWN;
	} catch {
		return UNKNOWN;
	}
}

const UNKNOWN = 'No reason was given';

function wordsOf(thrown: unknown): string {
	if (typeof thrown !== 'object' || thrown === null) return String(thrown ?? '');
	const message: unknown = Reflect.get(thrown, 'message');
	return typeof message === 'string' ? message : JSON.stringify(thrown);
}
