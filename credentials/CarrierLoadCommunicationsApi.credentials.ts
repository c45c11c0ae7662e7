import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import type { CallsSetting } from '../nodes/shared/service/contract';
import {
	CALL_MODES,
	callsSettingOf,
	directIfUnencrypted,
	normalizeBaseUrl,
	readAccessToken,
} from '../nodes/shared/service/credential';
import { unusable } from '../nodes/shared/service/failure';

export class CarrierLoadCommunicationsApi implements ICredentialType {
	name = 'carrierLoadCommunicationsApi';

	displayName = 'Carrier Load Communications API';

	icon: Icon = {
		light: 'file:../icons/carrierLoadCommunications.svg',
		dark: 'file:../icons/carrierLoadCommunications.dark.svg',
	};

	documentationUrl =
		'https://github.com/carrier-load-communications/n8n-nodes-carrier-load-communications#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://calls.example.com',
			description: 'URL of the service, from the service operator',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "Your organization's token, from the service operator",
		},
		{
			displayName: 'Calls',
			name: 'callMode',
			type: 'options',
			options: [
				{
					name: 'Live',
					value: 'live',
					description: 'Workflows with this credential place calls',
				},
				{
					name: 'Test Number',
					value: 'testNumber',
					description: 'Every call of every workflow goes to the number below',
				},
				{
					name: 'Dry Run',
					value: 'dryRun',
					description: 'Workflows check everything and return what would be sent, without any call',
				},
				{
					name: 'Paused',
					value: 'paused',
					description: 'No workflow with this credential places a call. Lists can still be read.',
				},
			],
			default: 'live',
			description:
				'What workflows with this credential may do; a node can only be stricter. A change applies within ten seconds, also in the middle of a run.',
		},
		{
			displayName: 'Test Number',
			name: 'testNumber',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. (312) 555-0199',
			displayOptions: { show: { callMode: ['testNumber'] } },
			description:
				'Number to call instead of the real ones, such as your own. Outside the US, start with + and the country code.',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description: "Whether to connect even if the service's certificate can't be verified",
		},
	];

	/** Adds the token to a request to the service; other nodes, such as HTTP Request, may use it, too. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const baseUrl = normalizeBaseUrl(credentials.baseUrl);
		requireOwnOrigin(baseUrl, request);
		refuseOtherWrites(callsSettingOf(credentials), request.method);
		const others = Object.entries(request.headers ?? {}).filter(
			([name]) => name.toLowerCase() !== 'authorization',
		);
		// When the service redirects to another host, n8n sends `Authorization` along: 2.0 always, 2.41
		// unless set not to. It drops `authorization`.
		const authorization = `Bearer ${readAccessToken(credentials.accessToken)}`;
		const headers = { ...Object.fromEntries(others), authorization };
		return {
			...request,
			...directIfUnencrypted(baseUrl),
			headers,
			sendCredentialsOnCrossOriginRedirect: false,
		};
	}
}

/**
 * Rejects a request to anywhere but the service, because the token would go along.
 * @param request as n8n's helpers take it: `uri` comes from older nodes (HTTP Request up to 4.2)
 */
export function requireOwnOrigin(
	baseUrl: string,
	{ baseURL, url, uri }: { url?: unknown; uri?: unknown; baseURL?: unknown },
): void {
	const base = baseURL == null ? undefined : String(baseURL);
	const home = new URL(baseUrl).origin;
	// Which of them n8n takes depends on its version and the node's, so neither may lead elsewhere.
	const given = [url, uri].filter((each) => each != null).map(String);
	const origins = (given.length > 0 ? given : ['']).map((each) =>
		URL.canParse(each, base) ? new URL(each, base).origin : '',
	);
	const foreign = origins.find((origin) => origin !== home);
	if (foreign === undefined) return;
	throw unusable(
		`This credential is for ${home} only, not for ${foreign.startsWith('http') ? foreign : 'another URL'}`,
		'Choose another credential for this request, or correct its URL',
	);
}

/** Refuses what another node, such as HTTP Request, would send, if it isn't a read: it may place a call. */
function refuseOtherWrites({ mode }: CallsSetting, method = 'GET'): void {
	if (mode === 'live' || /^(?:GET|HEAD)$/i.test(method)) return;
	throw unusable(
		`The credential's Calls setting is ${CALL_MODES[mode]}, so this node may only read with it`,
		"To place a call, use this package's node, or set Calls to Live in the credential and run this item again",
	);
}
