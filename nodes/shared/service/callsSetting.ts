import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { ServiceFailure } from './failure';
import type { CallsSetting } from './request';

const MODES: Record<CallsSetting['mode'], string> = {
	...{ live: 'Live', testNumber: 'Test Number', dryRun: 'Dry Run', paused: 'Paused' },
};

/** Nothing but the setting's own values places calls; a credential from before the setting has none. */
export function callsSettingOf(credential: ICredentialDataDecryptedObject): CallsSetting {
	const callMode = credential.callMode ?? 'live';
	const mode = isMode(callMode) ? callMode : 'paused';
	return { mode, testNumber: String(credential.testNumber ?? '').trim() };
}

/**
 * Refuses what another node, such as HTTP Request, would send with the credential, if it isn't a read:
 * it may place a call.
 *
 * @throws ServiceFailure
 */
export function refuseOtherWrites({ mode }: CallsSetting, method = 'GET'): void {
	if (mode === 'live' || /^(?:GET|HEAD)$/i.test(method)) return;
	throw new ServiceFailure({
		kind: 'configuration',
		what: `The credential's Calls setting is ${MODES[mode]}, so this node may only read with it`,
		advice:
			"To place a call, use this package's node, or set Calls to Live in the credential and run this item again",
	});
}

function isMode(value: unknown): value is CallsSetting['mode'] {
	return typeof value === 'string' && Object.hasOwn(MODES, value);
}

/**
 * Refuses a call that was planned by the setting at the start of the run if it no longer allows it.
 *
 * @throws ServiceFailure
 */
export function refuseUnlessAllowed(now: CallsSetting, planned: CallsSetting): void {
	const isSame = now.mode === planned.mode && now.testNumber === planned.testNumber;
	if (now.mode === 'live' || (now.mode === 'testNumber' && isSame)) return;
	const isPaused = now.mode === 'paused';
	throw new ServiceFailure({
		kind: 'configuration',
		what: `The credential's Calls setting is ${isPaused ? '' : 'now '}${MODES[now.mode]}`,
		advice: isPaused
			? 'When calls may be placed again, set it to Live in the credential, and run this item again'
			: 'It was changed while the node was running. Run this item again',
	});
}
