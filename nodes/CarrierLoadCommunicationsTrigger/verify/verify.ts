import { headerText, type Headers } from './headers';
import { sameSecret } from './sameSecret';
import type { BasicVerification, HeaderVerification, HmacVerification } from './settings';
import { judgeSignature } from './signature';

/** Undefined when the request is let in; else the reason for the log, which holds no secret. */
export type Refusal = string | undefined;

/** Whether the sender may post, judged by what the headers alone show. */
export function judgeHeaders(
	headers: Headers,
	verification: HeaderVerification | BasicVerification,
): Refusal {
	return verification.method === 'header'
		? judgeSharedSecret(headers, verification)
		: judgeBasic(headers, verification);
}

/** Whether the body was signed by somebody who knows the secret, and lately. */
export function judgeBody(
	headers: Headers,
	rawBody: Buffer,
	verification: HmacVerification,
	nowMs: number,
): Refusal {
	return judgeSignature(headers, rawBody, verification, nowMs);
}

function judgeSharedSecret(headers: Headers, { headerName, secrets }: HeaderVerification): Refusal {
	const given = headerText(headers, headerName);
	if (given === undefined) return `it has no header "${headerName}"`;
	return matchesAny(given, secrets) ? undefined : `its header "${headerName}" is not the secret`;
}

function judgeBasic(headers: Headers, { user, secrets }: BasicVerification): Refusal {
	const given = headerText(headers, 'authorization');
	const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(given?.trim() ?? '') ?? [];
	if (encoded === undefined) return 'it brings no user and password';
	const text = Buffer.from(encoded, 'base64').toString('utf8');
	const colon = text.indexOf(':');
	if (colon < 0) return 'it brings no password';
	const rightUser = sameSecret(text.slice(0, colon), user);
	const rightPassword = matchesAny(text.slice(colon + 1), secrets);
	return rightUser && rightPassword ? undefined : 'its user or password is wrong';
}

/** Compares with every secret, so that the time does not tell which one it was. */
function matchesAny(given: string, secrets: string[]): boolean {
	return secrets.map((secret) => sameSecret(given, secret)).includes(true);
}
