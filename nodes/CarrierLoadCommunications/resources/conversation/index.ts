import type { Resource } from '../operation';
import { getAll } from './getAll';

export const conversation: Resource = {
	name: 'Conversation',
	value: 'conversation',
	operations: [getAll],
};
