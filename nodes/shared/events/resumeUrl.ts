import { isJsonObject } from '../service/http/json';

/**
 * Metadata key of a call that an execution waits for. Its value is the URL that resumes this
 * execution: whoever has it can end the wait, so it must never appear in an item.
 *
 * How the trigger and the waiting call agree: the trigger sends each event whose `callStage` is
 * `ended` or `unknown` to the URL as a POST, as JSON. A 2xx answer means that the event ended the
 * wait. Any other answer means that it was not used: 409 from the waiting call (the event is about
 * another call, or is no proof that this one has ended), or n8n's own answers (404, 409 "finished",
 * 409 "running" while the execution is about to wait).
 */
export const RESUME_URL_KEY = 'n8nResumeUrl';

/** Query parameter that tells the waits of one execution apart: 32 hexadecimal digits. */
export const WAIT_ID_QUERY = 'wait';

/** A URL of a user's own, such as that of n8n's Wait node, has no wait ID: only its key shows it. */
const IN_JSON_TEXT = new RegExp(`(${RESUME_URL_KEY}[\\\\"':=\\s]+)https?:[^\\s"'<>\\\\]+`, 'g');

const REMOVED = '[resume URL removed]';

/**
 * A copy of JSON data without resume URLs, neither under their key nor inside of any text (metadata
 * may come back as JSON text).
 */
export function withoutResumeUrl<Value>(value: Value): Value;
export function withoutResumeUrl(value: unknown): unknown {
	if (typeof value === 'string') return withoutUrlIn(value);
	if (Array.isArray(value)) return value.map((each: unknown) => withoutResumeUrl(each));
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value).filter(([key]) => key !== RESUME_URL_KEY);
	return Object.fromEntries(entries.map(([key, each]) => [key, withoutResumeUrl(each)]));
}

function withoutUrlIn(text: string): string {
	if (!/wait(=|%3D)/i.test(text) && !text.includes(RESUME_URL_KEY)) return text;
	return text
		.replace(IN_JSON_TEXT, `$1${REMOVED}`)
		.replace(/https?(?::|%3A)[^\s"'<>]*/gi, (url) =>
			/wait(=|%3D)[0-9a-f]{32}/i.test(url) ? REMOVED : url,
		);
}
