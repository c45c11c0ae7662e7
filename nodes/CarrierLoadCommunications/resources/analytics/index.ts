import type { Resource } from '../../operations/operation';
import { getAll } from './getAll';

export const analytics: Resource = {
	name: 'Analytics',
	value: 'analytics',
	operations: [getAll],
};
