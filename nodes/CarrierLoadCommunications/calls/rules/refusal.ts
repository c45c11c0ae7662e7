export interface Refusal {
	/** Whether the item is returned without a call instead of failing, and with which placement. */
	skippedAs?: 'outsideHours' | 'doNotCall' | 'dryRun';
	/** A sentence without its period, like the advice: what the user can do. */
	reason: string;
	advice: string;
	/** When the rule first allows the call: ISO 8601, UTC. */
	nextAllowedAt?: string;
}

export interface RuledCall {
	/** E.164, with or without an extension. */
	toPhone: string;
	/** Whether the user confirmed the number (Send Phone Number as Typed). */
	asIs: boolean;
}
