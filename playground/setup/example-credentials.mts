import type { CredentialToCreate } from '../n8n/session.mts';

/** The header that the example of TMS events requires. Only the playground's n8n knows this value. */
export const TMS_KEY = { name: 'X-TMS-Key', value: 'sandbox-tms-key' };
export const TMS_KEY_CREDENTIAL: CredentialToCreate = {
	name: 'TMS webhook key (sandbox)',
	type: 'httpHeaderAuth',
	data: { ...TMS_KEY },
};

/** What the browser asks for when the call board is opened. */
export const BOARD_LOGIN = { user: 'dispatch', password: 'sandbox' };
const BOARD_CREDENTIAL: CredentialToCreate = {
	name: 'Call board login',
	type: 'httpBasicAuth',
	data: { ...BOARD_LOGIN },
};

/** The credentials that the examples name, besides the sandbox's. */
export const EXAMPLE_CREDENTIALS = [TMS_KEY_CREDENTIAL, BOARD_CREDENTIAL];
