import type { Resource } from '../../operations/operation';
import { createAgentCall } from './createAgentCall';
import { downloadRecording } from './downloadRecording';
import { get } from './get';
import { getAll } from './getAll';
import { triggerCarrierSalesCall } from './triggerCarrierSalesCall';
import { triggerCheckCall } from './triggerCheckCall';

export const call: Resource = {
	name: 'Call',
	value: 'call',
	operations: [
		getAll,
		get,
		downloadRecording,
		triggerCheckCall,
		triggerCarrierSalesCall,
		createAgentCall,
	],
};
