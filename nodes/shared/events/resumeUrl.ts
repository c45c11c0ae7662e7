import { isJsonObject } from '../service/json';

/**
 * Metadata key of a call that an execution is waiting for. Its value is the URL that resumes the
 * execution. Anyone who has it can end the wait, so it must never appear in an item.
 *
 * The agreement between the trigger and the waiting call: the trigger posts each event whose
 * `callStage` is `ended` or `unknown` to the URL, as JSON. A 2xx response means that the event
 * ended the wait. Anything else means that it didn't: 409 from the waiting call (the event is about
 * another call, or doesn't prove that this one has ended), or n8n's own responses (404, 409
 * "finished", 409 "running" if the execution is not waiting yet).
 */
export const RESUME_URL_KEY = 'n8nResumeUrl';
/** Query parameter that identifies one wait of an execution: 32 hexadecimal digits. */
export const WAIT_ID_QUERY = 'wait';

/**
 * Other resume URLs, such as those of n8n's Wait node, have no wait ID and are found only by key. A
 * serializer may escape characters of a URL (`\/`, `\u003d`), once or twice.
 */
const IN_JSON_TEXT = new RegExp(
	`(${RESUME_URL_KEY}[\\\\"':=\\s]{1,100})https?:(?:[^\\s"'<>\\\\]|\\\\{1,20}[^\\s"'\\\\])+`,
	'g',
);

const REMOVED = '[resume URL removed]';

/** Copies JSON data without resume URLs, under their key or inside any text (metadata may be JSON text). */
export function withoutResumeUrl<Value>(value: Value): Value;
export function withoutResumeUrl(value: unknown): unknown {
	if (typeof value === 'string') return withoutUrlIn(value);
	if (Array.isArray(value)) return value.map((each: unknown) => withoutResumeUrl(each));
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value).filter(([key]) => key !== RESUME_URL_KEY);
	return Object.fromEntries(entries.map(([key, each]) => [key, withoutResumeUrl(each)]));
}

function withoutUrlIn(text: string): string {
	if (!/wait(=|%3D|\\+u003d)/i.test(text) && !text.includes(RESUME_URL_KEY)) return text;
	return text
		.replace(IN_JSON_TEXT, `$1${REMOVED}`)
		.replace(/https?(?::|%3A)[^\s"'<>]*/gi, (url) =>
			/wait(=|%3D|\\+u003d)[0-9a-f]{32}/i.test(url) ? REMOVED : url,
		);
}
