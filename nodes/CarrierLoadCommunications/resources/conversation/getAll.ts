import { laneFilters, recordFilters } from '../../../shared/fields/recordFilters';
import { listOperation } from '../../operations/listOperation';

/** The fields of a conversation (contract 2.2). */
const conversationFields = {
	simplified: [
		'id',
		'type',
		'createdAt',
		'callerName',
		'fromPhone',
		'emailFrom',
		'emailSubject',
		'mcNumber',
		'loads',
		'callSummary',
		'totalBids',
		'bidAmounts',
	],
	more: [
		'dotNumber',
		'callerExt',
		'callContentTags',
		'carrierHwConnectionStatus',
		'carrierHwRulesAssessment',
	],
} as const;

export const getAll = listOperation({
	action: 'Get many conversations',
	description: 'List phone and email conversations with their summaries, loads and bids',
	rows: conversationFields,
	filters: { ...recordFilters, ...laneFilters() },
	list: 'conversations',
});
