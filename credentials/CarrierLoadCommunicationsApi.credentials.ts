import type {
	IAuthenticateRuleResponseCode,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { readAccessToken } from '../nodes/shared/service/http/accessToken';
import { normalizeBaseUrl, requireEncryption } from '../nodes/shared/service/http/baseUrl';

const MESSAGES: Array<[statuses: number[], message: string]> = [
	[[401], 'The address is right, but the service does not accept this access token'],
	[[403], 'The address is right, but this access token is not allowed to read analytics'],
	[[404], 'Wrong address: there is no such service at this base URL'],
	[
		[301, 302, 303, 307, 308],
		'Wrong address: the service has moved or asks to sign in; enter the address that it sends on to',
	],
	[[500, 502, 503, 504], 'The service has a problem of its own; try again later'],
];

const testRules = [
	...MESSAGES.flatMap(([statuses, message]) =>
		statuses.map((value) => ({ type: 'responseCode', properties: { value, message } })),
	),
	{
		// A web page, or another service: there is no `data` in it (contract 4.2).
		type: 'responseSuccessBody',
		properties: {
			key: 'data',
			value: undefined,
			message: 'Wrong address: something else than the service answers at this base URL',
		},
	},
	// n8n reads rules of both kinds (n8n 2.41, CredentialsTester); its type allows one kind only.
] as IAuthenticateRuleResponseCode[];

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
			placeholder: 'https://calls.example.com',
			description: 'Address of the service, as the service operator gave it to you',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Token of your organization, issued by the service operator',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description: 'Whether to connect even if the certificate of the service cannot be verified',
		},
	];

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: '/api/v1/analytics',
			qs: { startDate: '={{ $now.toISODate() }}', endDate: '={{ $now.toISODate() }}' },
			skipSslCertificateValidation: '={{ $credentials.ignoreSslIssues }}',
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		},
		rules: testRules,
	};

	/**
	 * Puts the token on a request. The test's base URL is brought into form here, by the same code
	 * as the nodes', and whatever the request is, the token goes over no open network.
	 */
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
