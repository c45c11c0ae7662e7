/** The labels of the rules, as the form shows them and refusals name them. */
export type RuleName =
	| 'Allowed Countries'
	| 'Do Not Call'
	| 'Calling Hours'
	| 'Max Calls per Hour'
	| 'Max Calls per Day'
	| 'Dry Run';

/** Why a rule keeps a call from being placed. */
export interface Refusal {
	rule: RuleName;
	/** Whether the item is returned without a call instead of failing, and how it says so. */
	skippedAs?: 'outsideHours' | 'doNotCall' | 'dryRun';
	/** What stands against the call, as a sentence without a period. */
	reason: string;
	/** What the user can change or do, as a sentence without a period. */
	advice: string;
	/** The first moment at which the rule lets the call through: ISO 8601, UTC. */
	nextAllowedAt?: string;
}

/** A call as the rules see it. */
export interface RuledCall {
	/** E.164, with or without an extension. */
	toPhone: string;
	/** Whether the user vouches for the number (Send Phone Number as Typed). */
	asIs: boolean;
}
