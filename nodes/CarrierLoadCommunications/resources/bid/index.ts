import type { Resource } from '../operation';
import { getAll } from './getAll';

export const bid: Resource = {
	name: 'Bid',
	value: 'bid',
	operations: [getAll],
};
