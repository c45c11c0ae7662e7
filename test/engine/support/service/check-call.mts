import type { ServiceClient } from '../../../../nodes/shared/service/client.ts';

/** A check call that the service accepts. */
export const checkCall = { toPhone: '+13125550188', loadNumber: '48213', nextStopIndex: 1 };

/** Places it. */
export const dial = async (client: ServiceClient) => await client.triggerCheckCall(checkCall);
