import type { IWebhookFunctions } from 'n8n-workflow';

import type { TriggerSettings } from '../fields/form';
import { readRawBody, type Rejection, type WebhookRequest } from '../parse/requestBody';
import { refuseAddress } from './ipAllowlist';
import type { Verifier } from './methods/method';
import { readVerifier } from './methods';

export const WEBHOOK_CREDENTIAL = 'carrierLoadCommunicationsWebhookApi';

/**
 * How long a credential is used without asking n8n again, which takes several milliseconds. A removed
 * secret works that much longer. A new one works at once: what is not accepted is checked again.
 */
const KEEP_MS = 5000;
const KEPT_CREDENTIALS = 500;

const kept = new Map<string, { verifier: Verifier; until: number }>();

export interface VerifiedRequest {
	rawBody: Buffer;
	/** Undefined if the trigger accepts events from anyone. */
	verifier: Verifier | undefined;
}

/** Checks who sent the request: by its IP address, its headers, and its body. */
export async function verifyRequest(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	nowMs: number,
): Promise<VerifiedRequest | Rejection> {
	const request = context.getRequestObject();
	// As n8n sees it, depending on N8N_PROXY_HOPS.
	const unlisted = refuseAddress(settings.allowedAddresses, request.ip ?? '');
	if (unlisted !== undefined) return { status: 401, reason: unlisted };

	if (settings.authentication === 'none') return await check(request, undefined, nowMs);
	const { id, credentials } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, id, credentials]);
	const recent = kept.get(key);
	if (recent && recent.until > nowMs) {
		const verified = await check(request, recent.verifier, nowMs);
		if (!('status' in verified) || verified.status !== 401) return verified;
	}
	const verifier = await loadVerifier(context);
	if (typeof verifier === 'string') return { status: 401, reason: verifier };
	if (kept.size >= KEPT_CREDENTIALS) kept.clear();
	kept.set(key, { verifier, until: nowMs + KEEP_MS });
	return await check(request, verifier, nowMs);
}

async function check(
	request: WebhookRequest,
	verifier: Verifier | undefined,
	nowMs: number,
): Promise<VerifiedRequest | Rejection> {
	const { headers } = request;
	const early = verifier?.checkHeaders?.(headers);
	if (early !== undefined) return { status: 401, reason: early, challenge: verifier?.challenge };

	const rawBody = await readRawBody(request);
	if (!Buffer.isBuffer(rawBody)) return rawBody;
	const reason = verifier?.checkBody?.(headers, rawBody, nowMs);
	return reason === undefined ? { rawBody, verifier } : { status: 401, reason };
}

/** Returns text if the credential can't be used; every request is then rejected. */
async function loadVerifier(context: IWebhookFunctions): Promise<Verifier | string> {
	try {
		return readVerifier(await context.getCredentials(WEBHOOK_CREDENTIAL));
	} catch {
		return 'the trigger has no webhook credential, or it cannot be read';
	}
}
