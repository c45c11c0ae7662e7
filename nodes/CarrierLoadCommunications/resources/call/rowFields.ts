/** The fields of a call as it is listed (contract 2.3). */
export const callFields = {
	simplified: [
		'id',
		'createdAt',
		'fromPhone',
		'callerName',
		'toPhone',
		'loadIds',
		'mcNumber',
		'dotNumber',
		'contentTags',
		'summary',
	],
	more: [
		'callerExt',
		'carrierHwConnectionStatus',
		'carrierHwRulesAssessment',
		'recordingUrl',
		'transcript',
	],
} as const;
