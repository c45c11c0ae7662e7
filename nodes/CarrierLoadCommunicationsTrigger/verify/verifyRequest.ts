import type { IWebhookFunctions } from 'n8n-workflow';

import type { TriggerSettings } from '../fields/form';
import { readRawBody, type Rejection } from '../parse/requestBody';
import { readIpAllowlist } from './ipAllowlist';
import type { Verifier } from './methods/method';
import { readVerifier } from './methods';

const WEBHOOK_CREDENTIAL = 'carrierLoadCommunicationsWebhookApi';

/** A rejected sender, with the reason for the log. Never contains a secret. */
export interface Unauthorized {
	status: 401;
	reason: string;
	challenge?: string | undefined;
}

export interface VerifiedRequest {
	rawBody: Buffer;
	/** Undefined if the trigger accepts events from anyone. */
	verifier: Verifier | undefined;
}

/**
 * Checks who sent the request. The IP address and headers are checked before the body is read, so
 * strangers can't make n8n read megabytes.
 */
export async function verifyRequest(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	nowMs: number,
): Promise<VerifiedRequest | Unauthorized | Rejection> {
	const request = context.getRequestObject();
	const { headers } = request;
	const unlisted = checkIpAddress(settings.allowedAddresses, request.ip);
	if (unlisted !== undefined) return { status: 401, reason: unlisted };

	const verifier = settings.authentication === 'none' ? undefined : await loadVerifier(context);
	if (typeof verifier === 'string') return { status: 401, reason: verifier };
	const early = verifier?.checkHeaders?.(headers);
	if (early !== undefined) return { status: 401, reason: early, challenge: verifier?.challenge };

	const rawBody = await readRawBody(request);
	if (!Buffer.isBuffer(rawBody)) return rawBody;
	const reason = verifier?.checkBody?.(headers, rawBody, nowMs);
	return reason === undefined ? { rawBody, verifier } : { status: 401, reason };
}

/** `request.ip` is the sender's IP address as n8n sees it, depending on N8N_PROXY_HOPS. */
function checkIpAddress(allowed: string, address: string | undefined): string | undefined {
	const list = readIpAllowlist(allowed);
	if (list === undefined || list.contains(address ?? '')) return undefined;
	const invalid = list.invalid.join(', ');
	const mistake = invalid === '' ? '' : `; these entries are not IP addresses: ${invalid}`;
	return `its IP address ${address ?? ''} is not on the allowlist${mistake}`;
}

/** Returns text if the credential can't be used; every request is then rejected. */
async function loadVerifier(context: IWebhookFunctions): Promise<Verifier | string> {
	try {
		return readVerifier(await context.getCredentials(WEBHOOK_CREDENTIAL));
	} catch {
		return 'the trigger has no webhook credential, or it cannot be read';
	}
}
