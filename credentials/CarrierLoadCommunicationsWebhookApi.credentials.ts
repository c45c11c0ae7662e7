import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

const shownFor = (...methods: string[]) => ({ show: { method: methods } });

/** How the sender of events proves who it is. */
const methodField: INodeProperties = {
	displayName: 'Method',
	name: 'method',
	type: 'options',
	options: [
		{
			name: 'Basic Auth',
			value: 'basic',
			description: 'The sender logs in with a user and a password',
		},
		{
			name: 'Secret in a Header',
			value: 'header',
			description: 'The sender puts the secret itself into a header',
		},
		{
			name: 'Signature (HMAC)',
			value: 'hmac',
			description: 'The sender signs each event with the secret. Choose this if you can.',
		},
	],
	default: 'hmac',
	description: 'How the sender of events proves who it is',
};

const secretFields: INodeProperties[] = [
	{
		displayName: 'Secret',
		name: 'secret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		displayOptions: shownFor('hmac', 'header'),
		description:
			'The secret that you and the service operator agreed on. Without it, nobody is let in.',
	},
	{
		displayName: 'User',
		name: 'user',
		type: 'string',
		default: '',
		required: true,
		displayOptions: shownFor('basic'),
	},
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		displayOptions: shownFor('basic'),
	},
	{
		displayName: 'Previous Secret',
		name: 'previousSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		displayOptions: shownFor('hmac', 'header'),
		description: 'Accepted beside the new one while you replace it; empty it afterwards',
	},
	{
		displayName: 'Previous Password',
		name: 'previousSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		displayOptions: shownFor('basic'),
		description: 'Accepted beside the new one while you replace it; empty it afterwards',
	},
];

const signatureFields: INodeProperties[] = [
	{
		displayName: 'Header Name',
		name: 'headerName',
		type: 'string',
		default: 'X-Signature',
		required: true,
		displayOptions: shownFor('hmac', 'header'),
		description: 'Header that carries the signature, or the secret',
	},
	{
		displayName: 'Algorithm',
		name: 'algorithm',
		type: 'options',
		options: [
			{ name: 'SHA-256', value: 'sha256' },
			{ name: 'SHA-512', value: 'sha512' },
		],
		default: 'sha256',
		displayOptions: shownFor('hmac'),
	},
	{
		displayName: 'Signature Prefix',
		name: 'prefix',
		type: 'string',
		default: 'sha256=',
		displayOptions: shownFor('hmac'),
		description:
			'What stands before the signature in its header, such as sha256= or sha512=; empty if nothing does',
	},
	{
		displayName: 'Encoding',
		name: 'encoding',
		type: 'options',
		options: [
			{ name: 'Base64', value: 'base64' },
			{ name: 'Hexadecimal', value: 'hex' },
		],
		default: 'hex',
		displayOptions: shownFor('hmac'),
	},
	{
		displayName: 'Timestamp Header',
		name: 'timestampHeader',
		type: 'string',
		default: 'X-Timestamp',
		displayOptions: shownFor('hmac'),
		description:
			'Header with the time of sending. What is signed is then the time, a dot and the body. Empty if only the body is signed; an old request can then be sent again by somebody who recorded it.',
	},
	{
		displayName: 'Tolerance (Seconds)',
		name: 'toleranceSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 300,
		displayOptions: { show: { method: ['hmac'] }, hide: { timestampHeader: [''] } },
		description: 'How old a request may be, and how far the clocks may be apart',
	},
];

export class CarrierLoadCommunicationsWebhookApi implements ICredentialType {
	name = 'carrierLoadCommunicationsWebhookApi';

	displayName = 'Carrier Load Communications Webhook API';

	icon: Icon = {
		light: 'file:../icons/carrierLoadCommunications.svg',
		dark: 'file:../icons/carrierLoadCommunications.dark.svg',
	};

	documentationUrl =
		'https://github.com/carrier-load-communications/n8n-nodes-carrier-load-communications#credentials';

	properties: INodeProperties[] = [methodField, ...secretFields, ...signatureFields];
}
