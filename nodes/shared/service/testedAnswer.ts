import type { Redaction } from './http/answer/redaction';
import { serviceMessage } from './http/answer/serviceMessage';
import { isRedirect } from './http/answer/statusFailure';
import { isJsonObject, isWebPage, parseJson } from './http/json';
import type { ServiceAnswer } from './http/request';
import { saysItFailed } from './pagination/pages/page';
import { LONGEST_ADVISED_MS, readRetryAfter, waitText } from './http/answer/retryAfter';

/** The response to the credential's test, and where it came from. */
export interface TestedAnswer extends ServiceAnswer {
	/** False if it was too long to be the service's. */
	complete: boolean;
	baseUrl: string;
	/** What the test requested, below the base URL. */
	path: string;
	redaction: Redaction;
}

/** What is wrong with a response, for the person who enters the credential; undefined if nothing is. */
export function problemWith(answer: TestedAnswer): string | undefined {
	const { status, text, redaction } = answer;
	const host = new URL(answer.baseUrl).host;
	if (status >= 200 && status < 300) return problemWithBody(answer, host);
	if (isRedirect(status)) return redirected(answer, host);
	const words = serviceMessage(text, redaction);
	const said = words === undefined ? '' : ` The service said: "${words}"`;
	return `${meaning(answer, host)}${said}`;
}

function problemWithBody({ text, complete, redaction }: TestedAnswer, host: string) {
	const answer = parseJson(text);
	// Without this list (contract 4.2), the nodes could not use the response either.
	const isData = isJsonObject(answer) && Array.isArray(answer.data);
	if (isData && !saysItFailed(answer)) return undefined;
	const words = isJsonObject(answer) ? serviceMessage(text, redaction) : undefined;
	if (words !== undefined) {
		return `${host} rejected the request. Check the access token and the base URL. The service said: "${words}"`;
	}
	if (complete && answer === undefined && /^\s*[{[]/.test(text)) {
		return `The response of ${host} ended in the middle. Try again. If it keeps failing, contact the service operator.`;
	}
	return `Wrong base URL: something other than the service responds at ${host} (${describe(text, complete)}). Enter the URL that the service operator gave you, with its path.`;
}

function describe(text: string, complete: boolean): string {
	if (!complete) return 'more than 1 MB';
	if (text.trim() === '') return 'an empty response';
	return isWebPage(text) ? 'a web page' : 'not the data of the service';
}

/** Nothing is sent to a redirect's target: it may be anyone's. */
function redirected({ headers, status, baseUrl, path, redaction }: TestedAnswer, host: string) {
	const location = typeof headers.location === 'string' ? headers.location : '';
	if (location === '' || !URL.canParse(location, `${baseUrl}${path}`)) {
		return `Wrong base URL: ${host} redirected the request, but not to another URL (status ${status}). Contact the service operator.`;
	}
	const { protocol, origin, pathname } = new URL(location, `${baseUrl}${path}`);
	const isMoved = protocol === 'https:' && pathname.endsWith(path);
	const target = redaction.words(`${origin}${pathname}`).slice(0, 200);
	const advice = isMoved
		? `If you trust that URL, enter ${target.replace(path, '')} as the base URL.`
		: 'It may be a sign-in page, or the page of a network that asks you to sign in. Enter the URL that the service operator gave you, with its path.';
	return `Wrong base URL: ${host} redirected the request to ${target}, where the token was not sent. ${advice}`;
}

function meaning(
	{ status, headers, text, baseUrl, redaction }: TestedAnswer,
	host: string,
): string {
	// Anything else may come from a proxy or firewall.
	const isFromService = isJsonObject(parseJson(text));
	if (status === 401) {
		const asked = String(headers['www-authenticate'] ?? '');
		if (isWebPage(text) || /^\s*(basic|digest|negotiate|ntlm)\b/i.test(asked)) {
			return `${host} asks for a user name and password (status 401), which the service does not. Check the base URL, and ask your administrator whether a proxy is in front of the service.`;
		}
		const what = isFromService ? 'The base URL is right, but the service' : host;
		return `${what} does not accept this access token. Paste it again, or ask the service operator for a new one.`;
	}
	if (status === 403) {
		return isFromService
			? 'The base URL is right, but this access token is not allowed to read analytics. Ask the service operator to allow it.'
			: `${host}, or a proxy or firewall before it, blocked the request (status 403). Check the base URL. If it is right, ask your n8n administrator, and the service operator whether n8n's IP address is allowed.`;
	}
	if (status === 404) {
		return `Wrong base URL: the service was not found at ${redaction.words(baseUrl)}. If the URL that the service operator gave you has a path, enter all of it.`;
	}
	if (status === 407) {
		return `A proxy between n8n and ${host} asks n8n to sign in (status 407). Ask your n8n administrator.`;
	}
	if (status === 429) {
		const wait = readRetryAfter(headers, Date.now()) ?? 60_000;
		const when = wait > LONGEST_ADVISED_MS ? 'later' : `in ${waitText(wait)}`;
		return `The service at ${host} received too many requests (status 429). Test again ${when}.`;
	}
	return status >= 500
		? `The service at ${host} returned a server error (status ${status}). Try again later.`
		: `The service at ${host} refused the request (status ${status}). Check the base URL. If it is right, contact the service operator.`;
}
