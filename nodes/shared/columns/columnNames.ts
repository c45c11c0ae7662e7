/** The columns of Simplified in order: when, which load, who, how it ended, what was said, and the rest. */
export const COLUMN_NAMES = `date localTime createdAt receivedAt loadNumber origin destination name
	callerName toPhone fromPhone phoneNumber extension emailFrom mcNumber dotNumber agentId type event
	status placement timedOut contentTags emailSubject summary ruleAssessment totalBids bidAmounts
	fleetsize avgRate lanes laneOrigin laneDestination laneAvgRate laneTotalBids placementReason
	nextAllowedAt testCallFor callId conversationId updatedAt recordingUrl transcript extracted metadata
	dynamicVariables request`.split(/\s+/);

/** What the contract (2) calls the same thing elsewhere; the first that has a value counts. */
export const OTHER_NAMES = new Map([
	['createdAt', ['callDateTime']],
	['loadNumber', ['loadId', 'loadIds', 'loads']],
	['origin', ['originLocation']],
	['destination', ['destinationLocation']],
	['mcNumber', ['carrierMc']],
	['dotNumber', ['carrierDot']],
	['contentTags', ['callContentTags']],
	['summary', ['callSummary']],
]);

const RANKS = new Map(COLUMN_NAMES.map((name, rank) => [name, rank]));
/** What n8n adds to a call's metadata to trace it (the option Add Load and Workflow to Metadata). */
export const TRACES = new Set(['n8nWorkflowId', 'n8nExecutionId', 'n8nNode', 'n8nItem']);

export function inOrder(names: readonly string[]): string[] {
	const rank = (name: string) => RANKS.get(name) ?? COLUMN_NAMES.length;
	return [...names].sort((one, other) => rank(one) - rank(other));
}
