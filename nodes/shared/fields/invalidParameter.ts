/** A field of the node whose value cannot be used. Found before anything is sent. */
export class InvalidParameter extends Error {
	readonly field: string;
	readonly problem: string;
	readonly value: unknown;

	/**
	 * @param field the field's display name
	 * @param problem half a sentence that goes on from the field's name ("must be …")
	 * @param value what was found there, shown to the user shortened
	 */
	constructor(field: string, problem: string, value?: unknown) {
		super(`${field} ${problem}${value === undefined ? '' : ` (it is ${describe(value)})`}`);
		this.name = 'InvalidParameter';
		this.field = field;
		this.problem = problem;
		this.value = value;
	}
}

const SHOWN_CHARACTERS = 80;

function describe(value: unknown): string {
	if (value === '') return 'empty';
	const text = typeof value === 'string' ? `"${value}"` : asJson(value);
	return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** Expressions can hand over what has no JSON: functions, big integers, objects in a circle. */
function asJson(value: unknown): string {
	try {
		return JSON.stringify(value) ?? typeof value;
	} catch {
		return typeof value;
	}
}
