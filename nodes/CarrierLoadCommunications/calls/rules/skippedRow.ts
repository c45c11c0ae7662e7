import type { IDataObject } from 'n8n-workflow';

import { withoutResumeUrl } from '../../../shared/events/resumeUrl';
import { callPath } from '../../../shared/service/callEndpoints';
import { callRow, type Placement } from '../output/callRow';
import type { PlannedCall } from '../plan/plannedCall';

const NO_OUTCOME = 'Dry run: no call was placed';
const OUTCOME = {
	...{ timedOut: false, summary: NO_OUTCOME, transcript: NO_OUTCOME },
	...{ contentTags: '', recordingUrl: null },
};

/**
 * The row of an item whose call a rule skips, with the fields of a placed call: the rest of the
 * workflow can be tested with a dry run.
 *
 * @param waits whether the item would have received its call's outcome
 */
export function skippedRow(
	call: PlannedCall,
	placement: Extract<Placement, 'dryRun' | 'outsideHours' | 'doNotCall'>,
	placementReason: string,
	nextAllowedAt: string | undefined,
	waits: boolean,
): IDataObject {
	const isDryRun = placement === 'dryRun';
	const now = new Date().toISOString();
	const shown = isDryRun ? { status: 'DRY_RUN', createdAt: now, updatedAt: now } : {};
	return {
		...callRow(call, shown, placement, placementReason),
		...(nextAllowedAt !== undefined && { nextAllowedAt }),
		...(isDryRun && waits && OUTCOME),
		...(isDryRun && { request: unsentRequest(call) }),
	};
}

function unsentRequest(call: PlannedCall): IDataObject {
	const body = JSON.parse(JSON.stringify(call.body));
	return withoutResumeUrl({ method: 'POST', path: callPath(call), body });
}
