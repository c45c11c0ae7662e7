import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { readAccessToken } from '../nodes/shared/service/http/credential';
import { normalizeBaseUrl, requireEncryption } from '../nodes/shared/service/http/baseUrl';

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
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description: "Whether to connect even if the service's certificate can't be verified",
		},
	];

	/** Adds the token to a request, unless the request would carry it unencrypted. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const authenticated = { ...request };
		if (request.baseURL !== undefined) authenticated.baseURL = normalizeBaseUrl(request.baseURL);
		requireEncryption(authenticated);
		const token = readAccessToken(credentials.accessToken);
		authenticated.headers = { ...request.headers, Authorization: `Bearer ${token}` };
		return authenticated;
	}
}
