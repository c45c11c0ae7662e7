import type { INodeProperties } from 'n8n-workflow';

import { collection } from '../shared/fields/field';
import { laneFilters, recordFilters } from '../shared/fields/recordFilters';

const events: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Call Outcome Ready',
			value: 'callOutcomeReady',
			description: 'When a call has its summary or transcript',
		},
		{ name: 'New Bid', value: 'newBid', description: 'When a carrier has bid on a load' },
		{ name: 'New Call', value: 'newCall', description: 'When there is a new phone call' },
		{
			name: 'New Conversation',
			value: 'newConversation',
			description: 'When there is a new phone call or email',
		},
	],
	default: 'callOutcomeReady',
	description: 'What to watch for',
};

const filters = collection('Filters', 'Add Filter', {
	...recordFilters,
	...laneFilters({ '/event': ['newConversation'] }),
}).properties('filters');

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Give Up on a Call After (Hours)',
			name: 'giveUpHours',
			type: 'number',
			typeOptions: { minValue: 24, maxValue: 720 },
			default: 24,
			description: 'How long to look for the outcome of a call that does not get one',
			displayOptions: { show: { '/event': ['callOutcomeReady'] } },
		},
		{
			displayName: 'Overlap (Minutes)',
			name: 'overlapMinutes',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1440 },
			default: 60,
			description:
				'How far to look back behind what is already known, for records that the service lists late. No record comes twice because of it.',
		},
		{
			displayName: 'Start With the Last (Days)',
			name: 'historyDays',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 365 },
			default: 1,
			description:
				'How far the first poll goes back. Without this option, only what happens from now on starts the workflow.',
		},
	],
};

/** The polling trigger's form; n8n adds the poll times. */
export const pollingProperties: INodeProperties[] = [events, ...filters, options];
