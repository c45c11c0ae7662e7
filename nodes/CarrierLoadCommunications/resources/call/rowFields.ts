/** The fields of a listed call (contract 2.3). */
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
