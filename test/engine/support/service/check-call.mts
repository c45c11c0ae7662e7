import type { ServiceClient } from '../../../../nodes/shared/service/client.ts';

/** A check call that the service accepts. */
export const checkCall = { toPhone: '+13125550188', loadNumber: '48213', nextStopIndex: 1 };

/** Places it. */
export const dial = async (client: ServiceClient) => await dialWith(client, checkCall);

/** Places a check call with another body. */
export const dialWith = async (client: ServiceClient, body: object) =>
	await client.placeCall({ kind: 'checkCall', subject: { loadNumber: '48213' } }, body);
