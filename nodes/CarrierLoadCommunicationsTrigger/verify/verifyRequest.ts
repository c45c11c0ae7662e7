import type {
	IWebhookFunctions,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { readAddress, type Address } from '../../shared/ipAddress';
import { IPv4, IPv6, parseCIDR } from '../../shared/ipLibrary';
import type { TriggerSettings } from '../form';
import { readRawBody, type Rejection } from '../parse';
import type { Verifier } from './method';
import { readVerifier } from './methods';

export interface VerifiedRequest {
	rawBody: Buffer;
	/** Undefined if the trigger accepts events from anyone. */
	verifier: Verifier | undefined;
}

/** Checks who sent the request: by its IP address, its headers, and then its body. */
export async function verifyRequest(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	nowMs: number,
): Promise<VerifiedRequest | Rejection> {
	const request = context.getRequestObject();
	const { headers } = request;
	// As n8n sees it, depending on N8N_PROXY_HOPS.
	const unlisted = refuseAddress(settings.allowedAddresses, request.ip ?? '');
	if (unlisted !== undefined) return { status: 401, reason: unlisted };

	const verifier = settings.authentication === 'none' ? undefined : await loadVerifier(context);
	if (typeof verifier === 'string') return unverified(context, verifier);
	const early = verifier?.checkHeaders?.(headers);
	if (early !== undefined) return unverified(context, early, verifier?.challenge);

	const rawBody = await readRawBody(request);
	if (!Buffer.isBuffer(rawBody)) return rawBody;
	const reason = verifier?.checkBody?.(headers, rawBody, nowMs);
	return reason === undefined ? { rawBody, verifier } : unverified(context, reason);
}

const CREDENTIAL = 'carrierLoadCommunicationsWebhookApi';

/** Names the credential, since another one may be the right one. */
function unverified(context: IWebhookFunctions, reason: string, challenge?: string): Rejection {
	const name = context.getNode().credentials?.[CREDENTIAL]?.name;
	const checked = name === undefined ? '' : ` (checked with the credential "${name}")`;
	return { status: 401, reason: reason + checked, challenge };
}

/** Returns text if the credential can't be used; every request is then rejected. */
async function loadVerifier(context: IWebhookFunctions): Promise<Verifier | string> {
	if (context.getNode().credentials?.[CREDENTIAL] === undefined) {
		return 'the trigger has no Carrier Load Communications Webhook API credential';
	}
	try {
		return readVerifier(await context.getCredentials(CREDENTIAL));
	} catch {
		return 'the webhook credential cannot be read';
	}
}

type Range = [address: Address, prefixLength: number];

/**
 * Why a sender's IP address is refused; undefined if it is allowed.
 *
 * @param allowed IP addresses and CIDR ranges, IPv4 and IPv6, separated by commas or spaces; empty
 * for any sender. An invalid entry lets no one in.
 */
export function refuseAddress(allowed: string, address: string): string | undefined {
	const entries = allowed.split(/[\s,;]/).filter((entry) => entry !== '');
	if (entries.length === 0) return undefined;
	const ranges = entries.map(readRange);
	const shown = address.slice(0, 100);
	// n8n sees an IPv4 sender on an IPv6 socket as `::ffff:203.0.113.7`, and some proxies add the port
	// in X-Forwarded-For: `203.0.113.7:51234`, `[2001:db8::1]:51234`.
	const sender = readAddress(shown.replace(/^(\d+(?:\.\d+){3}|\[[^\]]*\]):\d+$/, '$1'));
	const isIn = (range: Range | undefined) =>
		range && sender?.kind() === range[0].kind() && sender.match(range);
	if (ranges.some(isIn)) return undefined;
	const invalid = entries.filter((_, index) => ranges[index] === undefined).join(', ');
	const mistake = invalid === '' ? '' : `; these entries are not IP addresses: ${invalid}`;
	return `its IP address ${shown} is not on the allowlist${mistake}`;
}

function readRange(entry: string): Range | undefined {
	const single = readAddress(entry);
	if (single) return [single, single instanceof IPv4 ? 32 : 128];
	const isRange = IPv4.isValidCIDRFourPartDecimal(entry) || IPv6.isValidCIDR(entry);
	return isRange ? parseCIDR(entry) : undefined;
}

/** Shorter secrets can be guessed. */
const MIN_SECRET_LENGTH = 16;

/** The service calls n8n, so n8n can only test whether the credential is complete. */
export async function testWebhookCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const verifier = readVerifier(credential.data);
	if (typeof verifier === 'string') {
		return { status: 'Error', message: `Every event would be rejected: ${verifier}` };
	}
	if (verifier.secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
		return {
			status: 'Error',
			message: `A secret of fewer than ${MIN_SECRET_LENGTH} characters is easy to guess. Agree on a longer one with the service operator.`,
		};
	}
	return {
		status: 'OK',
		message: 'The credential is complete. Send a test event to check that the secret is right.',
	};
}
