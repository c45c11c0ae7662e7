import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import type { Tool } from './agent-workflow.mts';

/** A value that the model fills in, as the editor's button next to a field writes it. */
const fromAI = (key: string, type = 'string', description = '') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, '${type}') }}`;

const tool = (node: string, resource: string, operation: string, fields: JsonObject): Tool => ({
	node,
	parameters: { resource, operation, ...fields },
});

/** A tool needs one. The tests call one driver again and again. */
export const limit = { maxCallsPerHour: 2000, samePhonePause: 0, skipIfCalledWithin: 0 };

/** The tests call the same driver about the same load again and again. */
const placing = {
	rules: limit,
	options: { lookForLostAnswers: 1 },
};

/** Whom the tests call. */
export const DRIVER = '+13125550188';

const toPhone = fromAI('To_Phone', 'string', 'The number to call');

const getConversations = tool('Conversations', 'conversation', 'getAll', {
	timeRange: 'last30Days',
	limit: fromAI('Limit', 'number'),
	filters: { loadId: fromAI('Load_ID') },
	options: {},
});
export const getCalls = tool('Calls', 'call', 'getAll', {
	timeRange: 'last30Days',
	limit: fromAI('Limit', 'number'),
	output: 'all',
	filters: {},
	options: {},
});
const getCall = tool('Call', 'call', 'get', {
	callId: fromAI('Call_ID', 'string', 'ID of the call'),
	lookBackDays: 90,
	output: 'all',
	options: {},
});
export const getTranscript = tool('Transcript', 'call', 'get', {
	callId: fromAI('Call_ID', 'string', 'ID of the call'),
	lookBackDays: 90,
	output: 'selected',
	selectedFields: ['callId', 'transcript'],
	options: {},
});
const downloadRecording = tool('Recording', 'call', 'downloadRecording', {
	callId: fromAI('Call_ID', 'string', 'ID of the call'),
	lookBackDays: 90,
	options: {},
});
export const checkCall = tool('Check call', 'call', 'triggerCheckCall', {
	toPhone,
	loadNumber: fromAI('Load_Number'),
	nextStopIndex: fromAI('Next_Stop_Index', 'number'),
	driverName: fromAI('Driver_Name'),
	...placing,
});
export const salesCall = tool('Sales call', 'call', 'triggerCarrierSalesCall', {
	toPhone,
	loadId: fromAI('Load_ID'),
	dotNumber: fromAI('DOT_Number', 'number'),
	...placing,
});
export const agentCall = tool('Agent call', 'call', 'createAgentCall', {
	toPhone,
	agentId: 'detention-follow-up',
	...placing,
});
const getBids = tool('Bids', 'bid', 'getAll', {
	timeRange: 'last30Days',
	limit: fromAI('Limit', 'number'),
	filters: {},
	options: {},
});
const searchCarriers = tool('Carriers', 'carrier', 'search', {
	origin: fromAI('Origin', 'string', 'Pickup city and state'),
	destination: fromAI('Destination', 'string', 'Delivery city and state'),
	limit: 3,
	additionalFields: {},
	options: {},
});
const getFigures = tool('Figures', 'analytics', 'getAll', {
	timeRange: 'last7Days',
	options: {},
});

/** A tool that waits until its call has ended. */
export const checkCallAndOutcome: Tool = {
	node: 'Check call and outcome',
	parameters: {
		...checkCall.parameters,
		...{ waitForOutcome: 'polling', waitLimit: 1, pollInterval: 0.2, output: 'all' },
	},
};

/** Each operation of the node as one tool. */
export const operationTools = [
	...[getConversations, getCalls, getCall, downloadRecording],
	...[checkCall, salesCall, agentCall, getBids, searchCarriers, getFigures],
];
