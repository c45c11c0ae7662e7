import type { Resource } from '../operation';
import { getAll } from './getAll';

export const analytics: Resource = {
	name: 'Analytics',
	value: 'analytics',
	operations: [getAll],
};
