import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
	INodeProperties,
	IWebhookFunctions,
} from 'n8n-workflow';

import { firstScalar } from '../../shared/events/event';
import { fields as form } from '../../shared/fields/collection';
import { text } from '../../shared/fields/simpleFields';
import { readAddress, type Address } from '../../shared/ipAddress';
import { IPv4, IPv6, parseCIDR } from '../../shared/ipLibrary';
import { isJsonObject } from '../../shared/service/json';
import type { TriggerSettings } from '../form';
import { readRawBody, type Rejection } from '../parse';
import type { VerificationMethod, Verifier } from './method';
import { bearer, header } from './sharedSecret';
import { hmac, standardWebhooks } from './signature';

const METHODS: VerificationMethod[] = [bearer, header, hmac, standardWebhooks];

export const verificationProperties: INodeProperties[] = [
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		options: METHODS.map(({ option }) => option),
		default: 'hmac',
		description: 'How the sender proves its identity',
	},
	...METHODS.flatMap(({ option, secret, fields }) =>
		form({ ...secretFields(secret), ...fields }).properties.map((property) => ({
			...property,
			displayOptions: { show: { ...property.displayOptions?.show, method: [option.value] } },
		})),
	),
];

function secretFields({
	label,
	names: [current, previous],
	about = 'The secret you agreed on with the service operator. If empty, every request is rejected.',
}: VerificationMethod['secret']) {
	const editor = { typeOptions: { password: true } };
	const rotated = "Still accepted while you rotate to the new one. Clear it when you're done.";
	return {
		[current]: text({ label, required: true, about, editor }),
		[previous]: text({ label: `Previous ${label}`, about: rotated, editor }),
	};
}

/** Parses the credential. Returns text if it is incomplete; every request is then rejected. */
export function readVerifier(credential: unknown): Verifier | string {
	if (!isJsonObject(credential)) return 'the webhook credential cannot be read';
	const method = METHODS.find(({ option }) => option.value === credential.method);
	if (!method) return 'the webhook credential has an unknown method';
	const field = (name: string) => String(firstScalar([credential], [name]) ?? '').trim();
	const { label, names } = method.secret;
	const [current = '', previous = ''] = names.map(field);
	if (current === '') return `the webhook credential has no ${label.toLowerCase()}`;
	const secrets = previous === '' ? [current] : [current, previous];
	const read = method.read(field, secrets);
	return typeof read === 'string' ? read : { ...read, secrets };
}

/** By IP address, headers, then body. @returns the body, and the ID of the request if it is signed */
export async function verifyRequest(
	context: IWebhookFunctions,
	settings: TriggerSettings,
	nowMs: number,
): Promise<{ rawBody: Buffer; signedId?: string | undefined } | Rejection> {
	const request = context.getRequestObject();
	const { headers } = request;
	// As n8n sees it, depending on N8N_PROXY_HOPS.
	const unlisted = refuseAddress(settings.allowedAddresses, request.ip ?? '');
	if (unlisted !== undefined) return { status: 401, reason: unlisted };

	const verifier = settings.authentication === 'none' ? undefined : await loadVerifier(context);
	if (typeof verifier === 'string') return unverified(context, verifier);
	const early = verifier?.checkHeaders?.(headers);
	if (early !== undefined) return unverified(context, early);

	const rawBody = await readRawBody(request);
	if (!Buffer.isBuffer(rawBody)) return rawBody;
	const reason = verifier?.checkBody?.(headers, rawBody, nowMs);
	if (reason !== undefined) return unverified(context, reason);
	return { rawBody, signedId: verifier?.signedId?.(headers) };
}

const CREDENTIAL = 'carrierLoadCommunicationsWebhookApi';

/** Names the credential, since another one may be the right one. */
function unverified(context: IWebhookFunctions, reason: string): Rejection {
	const name = context.getNode().credentials?.[CREDENTIAL]?.name;
	const checked = name === undefined ? '' : ` (checked with the credential "${name}")`;
	return { status: 401, reason: reason + checked };
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
 * @param allowed IP addresses and CIDR ranges, separated by commas or spaces; empty for any sender
 */
export function refuseAddress(allowed: string, address: string): string | undefined {
	const entries = allowed.split(/[\s,;]/).filter((entry) => entry !== '');
	const ranges = entries.map(readRange);
	const shown = address.slice(0, 100);
	// n8n sees an IPv4 sender on an IPv6 socket as `::ffff:203.0.113.7`, and some proxies add the port
	// in X-Forwarded-For: `203.0.113.7:51234`, `[2001:db8::1]:51234`.
	const sender = readAddress(shown.replace(/^(\d+(?:\.\d+){3}|\[[^\]]*\]):\d+$/, '$1'));
	const isIn = (range: Range | undefined) =>
		range && sender?.kind() === range[0].kind() && sender.match(range);
	if (entries.length === 0 || ranges.some(isIn)) return undefined;
	const invalid = entries.filter((_, index) => ranges[index] === undefined).join(', ');
	const mistake = invalid === '' ? '' : `; these entries are not IP addresses: ${invalid}`;
	return `its IP address ${shown} is not on the allowlist${mistake}`;
}

/** An invalid entry lets no one in. */
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
	const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });
	if (typeof verifier === 'string') return failed(`Every event would be rejected: ${verifier}`);
	if (verifier.secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
		return failed(
			`A secret of fewer than ${MIN_SECRET_LENGTH} characters is easy to guess. Agree on a longer one with the service operator.`,
		);
	}
	const message =
		'The credential is complete. Send a test event to check that the secret is right.';
	return { status: 'OK', message };
}
