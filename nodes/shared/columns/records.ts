/** The fields of a record: by their column's name or, without a column, by the contract's. */
export interface RecordFields {
	/** What a dispatcher needs; returned by default. */
	simplified: readonly string[];
	/** Only with All Fields or Selected Fields. */
	more: readonly string[];
	/** The column of the record's own `id`, if it has one. */
	idName?: string;
	/** Whether Simplified also keeps unknown fields. */
	keepUnknown?: boolean;
	/** The key of the list in the service's answer, if it isn't the list's name. */
	key?: string;
}

const carrierStanding = ['carrierHwConnectionStatus', 'carrierHwRulesAssessment'];

/** The service's lists of a time range, GET /api/v1/{name} (contract 4.2), and their fields (2.2, 2.3, 2.5). */
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
		key: 'salesBids',
	},
} as const satisfies Record<string, RecordFields>;

export type ListName = keyof typeof RECORDS;
