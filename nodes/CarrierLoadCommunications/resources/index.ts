import { analytics } from './analytics';
import { bid } from './bid';
import { call } from './call';
import { carrier } from './carrier';
import { conversation } from './conversation';
import type { Operation, Resource } from '../operations/operation';

export const resources: Resource[] = [analytics, bid, call, carrier, conversation];

/** Finds an operation by its stored values. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
