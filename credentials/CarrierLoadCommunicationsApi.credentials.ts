import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import {
	readAccessToken,
	normalizeBaseUrl,
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
					name: 'Paused',
					value: 'paused',
					description: 'No workflow with this credential places a call. Lists can still be read.',
				},
			],
			default: 'live',
			description:
				'Whether workflows may place calls. Paused stops them within ten seconds, also in the middle of a run.',
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
		requireOwnOrigin(normalizeBaseUrl(credentials.baseUrl), request);
		const others = Object.entries(request.headers ?? {}).filter(
			([name]) => name.toLowerCase() !== 'authorization',
		);
		// When the service redirects to another host, n8n sends `Authorization` along: 2.0 always, 2.41
		// unless told not to. It drops `authorization`.
		const authorization = `Bearer ${readAccessToken(credentials.accessToken)}`;
		const headers = { ...Object.fromEntries(others), authorization };
		return { ...request, headers, sendCredentialsOnCrossOriginRedirect: false };
	}
}
