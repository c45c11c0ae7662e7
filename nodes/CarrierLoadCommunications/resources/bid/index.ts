import type { Resource } from '../../operations/operation';
import { getAll } from './getAll';

export const bid: Resource = {
	name: 'Bid',
	value: 'bid',
	operations: [getAll],
};
