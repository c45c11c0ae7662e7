import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import {
	directIfUnencrypted,
	callsSettingOf,
	normalizeBaseUrl,
	readAccessToken,
	refuseOtherWrites,
	requireOwnOrigin,
} from '../nodes/shared/service/credential';

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
