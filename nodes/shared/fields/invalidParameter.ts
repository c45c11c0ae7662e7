/** A parameter with an unusable value. Thrown before anything is sent. */
export class InvalidParameter extends Error {
	/**
	 * @param field the field's display name
	 * @param problem the rest of the sentence after the field's name ("must be …")
	 * @param value what was found, shown shortened
	 */
	constructor(field: string, problem: string, value?: unknown) {
		super(`${field} ${problem}${value === undefined ? '' : ` (it is ${describe(value)})`}`);
		this.name = 'InvalidParameter';
	}
}

const SHOWN_CHARACTERS = 80;

function describe(value: unknown): string {
	if (value === '') return 'empty';
	const text = typeof value === 'string' ? `"${value}"` : asJson(value);
	return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** Expressions can return values without JSON: functions, big integers, circular objects. */
function asJson(value: unknown): string {
	if (typeof value === 'number') return String(value);
	try {
		return JSON.stringify(value) ?? typeof value;
	} catch {
		return typeof value;
	}
}
