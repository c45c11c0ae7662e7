import type { Resource } from '../../operations/operation';
import { getAll } from './getAll';

export const conversation: Resource = {
	name: 'Conversation',
	value: 'conversation',
	operations: [getAll],
};
