import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../shared/service/client';
import type { CallRegistry } from '../memory/callRegistry';
import type { DuplicateGuard } from '../rules/duplicateGuard';
import type { RunRules } from '../rules/runRules';
import type { DialingSpeed, EarlyNotes } from './earlyNotes';

/** What all calls of one run share. */
export interface CallRun {
	context: IExecuteFunctions;
	/** Whether the node stops at the first failed item. */
	stops: boolean;
	client: ServiceClient;
	registry: CallRegistry;
	early: EarlyNotes;
	guard: DuplicateGuard;
	rules: RunRules;
	speed: DialingSpeed;
	/** How long to look for an unconfirmed call, in milliseconds. */
	lookForMs: number;
	signal: AbortSignal | undefined;
}
