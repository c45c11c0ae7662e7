/** The fields of a record, as columns where they are one and else as the contract names them. */
export interface RecordFields {
	/** What a dispatcher needs; returned by default. */
	simplified: readonly string[];
	/** Only with All Fields or Selected Fields. */
	more: readonly string[];
	/** The column of the record's own `id`. */
	idName?: string;
	/** Whether Simplified also keeps unknown fields. */
	keepUnknown?: boolean;
}

const carrierStanding = ['carrierHwConnectionStatus', 'carrierHwRulesAssessment'];

/** The fields of the service's lists (contract 2.2, 2.3, 2.5). */
export const RECORDS = {
	calls: {
		simplified: [
			...['createdAt', 'loadNumber', 'callerName', 'toPhone', 'fromPhone', 'mcNumber'],
			...['dotNumber', 'contentTags', 'summary', 'callId'],
		],
		more: ['callerExt', ...carrierStanding, 'recordingUrl', 'transcript'],
		idName: 'callId',
	},
	conversations: {
		simplified: [
			...['createdAt', 'loadNumber', 'callerName', 'fromPhone', 'emailFrom', 'mcNumber', 'type'],
			...['emailSubject', 'summary', 'totalBids', 'bidAmounts', 'conversationId'],
		],
		more: ['dotNumber', 'callerExt', 'contentTags', ...carrierStanding],
		idName: 'conversationId',
	},
	bids: {
		// Few enough to return all of them.
		simplified: [
			...['createdAt', 'loadNumber', 'origin', 'destination', 'callerName', 'phoneNumber'],
			...['extension', 'mcNumber', 'dotNumber', 'summary'],
		],
		more: [],
	},
} as const satisfies Record<string, RecordFields>;
