import type { Resource } from '../../operations/operation';
import { search } from './search';

export const carrier: Resource = {
	name: 'Carrier',
	value: 'carrier',
	operations: [search],
};
