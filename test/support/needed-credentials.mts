import { isRecord, textIn } from '../../playground/n8n/rest.mts';

/** Of nodes that name no credential: else n8n would refuse to show a sample before one is chosen. */
const TYPE_OF_NODE: Record<string, string> = {
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.hubspot': 'hubspotAppToken',
	'n8n-nodes-base.microsoftExcel': 'microsoftExcelOAuth2Api',
	'n8n-nodes-base.slack': 'slackApi',
	'n8n-nodes-carrier-load-communications.carrierLoadCommunicationsTrigger':
		'carrierLoadCommunicationsWebhookApi',
};

/** The types of the credentials that a node of an example needs; none if it is disabled. */
export function neededCredentials(node: Record<string, unknown>): string[] {
	if (node['disabled'] === true) return [];
	if (isRecord(node['credentials'])) return Object.keys(node['credentials']);
	const type = TYPE_OF_NODE[textIn(node, 'type')];
	return type === undefined ? [] : [type];
}
