import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { verificationProperties } from '../nodes/CarrierLoadCommunicationsTrigger/verify/methods';

export class CarrierLoadCommunicationsWebhookApi implements ICredentialType {
	name = 'carrierLoadCommunicationsWebhookApi';

	displayName = 'Carrier Load Communications Webhook API';

	icon: Icon = {
		light: 'file:../icons/carrierLoadCommunications.svg',
		dark: 'file:../icons/carrierLoadCommunications.dark.svg',
	};

	documentationUrl =
		'https://github.com/carrier-load-communications/n8n-nodes-carrier-load-communications#credentials';

	properties: INodeProperties[] = verificationProperties;
}
