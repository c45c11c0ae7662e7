import type { IWebhookFunctions } from 'n8n-workflow';

import { readAddressList } from './ipAllowlist';
import { readRawBody, type Rejection } from '../parse/requestBody';
import { readVerification, type Verification } from './settings';
import { judgeBody, judgeHeaders } from './verify';
import type { TriggerSettings } from '../fields/settings';

export const WEBHOOK_CREDENTIAL = 'carrierLoadCommunicationsWebhookApi';

/** A sender who may not post here, and why: for the log, without any secret. */
export interface Refusal {
	status: 401;
	reason: string;
	method?: Verification['method'];
}

export interface Admitted {
	rawBody: Buffer;
	/** Headers that carry the verification, which are not handed on. */
	secretHeaders: string[];
}

/**
 * Whether a sender may post. What the address and the headers show is judged before the body is
 * read, so that a stranger cannot make n8n read megabytes.
 */
export async function admit(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	nowMs: number,
): Promise<Admitted | Refusal | Rejection> {
	const request = context.getRequestObject();
	const { headers } = request;
	const strange = judgeAddress(settings.allowedAddresses, request.ip);
	if (strange !== undefined) return { status: 401, reason: strange };

	const verification =
		settings.authentication === 'none' ? undefined : await loadVerification(context);
	if (typeof verification === 'string') return { status: 401, reason: verification };
	if (verification && verification.method !== 'hmac') {
		const reason = judgeHeaders(headers, verification);
		if (reason !== undefined) return { status: 401, reason, method: verification.method };
	}

	const rawBody = await readRawBody(request);
	if (!Buffer.isBuffer(rawBody)) return rawBody;
	if (verification?.method === 'hmac') {
		const reason = judgeBody(headers, rawBody, verification, nowMs);
		if (reason !== undefined) return { status: 401, reason, method: 'hmac' };
	}
	const secretHeaders =
		verification && 'headerName' in verification ? [verification.headerName] : [];
	return { rawBody, secretHeaders };
}

/**
 * `request.ip` is the sender's as n8n sees it: behind proxies, X-Forwarded-For counts as far as
 * N8N_PROXY_HOPS says.
 */
function judgeAddress(allowed: string, address: string | undefined): string | undefined {
	const list = readAddressList(allowed);
	if (list === undefined || list.contains(address ?? '')) return undefined;
	const unreadable = list.unreadable.join(', ');
	const mistake =
		unreadable === '' ? '' : `; these entries of the list are no addresses: ${unreadable}`;
	return `its address ${address ?? ''} is not in the list of allowed addresses${mistake}`;
}

/** The credential's settings; text says why there are none, and then nobody is let in. */
async function loadVerification(context: IWebhookFunctions): Promise<Verification | string> {
	try {
		return readVerification(await context.getCredentials(WEBHOOK_CREDENTIAL));
	} catch {
		return 'no webhook credential is chosen in the trigger, or it cannot be read';
	}
}
