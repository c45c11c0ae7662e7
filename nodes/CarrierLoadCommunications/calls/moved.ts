import type { INodeProperties } from 'n8n-workflow';

import { InvalidParameter, type Parameters } from '../../shared/fields/parameters';
import type { JsonObject } from '../../shared/service/json';

/** Fields of earlier versions, and the label of what took their place. */
const MOVED = {
	contactName: 'More Fields',
	contactType: 'More Fields',
	dryRun: 'Mode',
	extension: 'More Fields',
	skipIfCalledWithin: 'Safety',
};

/** The same within Safety. */
const MOVED_RULES: Record<string, string> = {
	dryRun: 'Mode',
	hoursDays: 'Calling Hours',
	hoursFrom: 'Calling Hours',
	hoursTo: 'Calling Hours',
	hoursZone: 'Calling Hours',
	outsideHours: 'Calling Hours',
	testNumber: 'Mode',
};

/** n8n drops fields that a node doesn't have: hidden, these stay, so that they can be refused. */
export const movedProperties: INodeProperties[] = Object.keys(MOVED).map((name) => ({
	displayName: name,
	name,
	type: 'hidden',
	default: '',
}));

/** A workflow of an earlier version must not call without what it relied on. @throws InvalidParameter */
export function refuseMoved(parameters: Parameters): void {
	for (const [name, now] of Object.entries(MOVED)) {
		const stored = parameters.node.parameters[name];
		if (stored !== undefined && stored !== '') refuse(name, now);
	}
}

/** @throws InvalidParameter */
export function refuseMovedRules(rules: JsonObject): void {
	for (const name of Object.keys(rules)) {
		const now = MOVED_RULES[name];
		if (now !== undefined) refuse(name, now, 'Safety');
	}
}

function refuse(name: string, now: string, where = 'This node'): never {
	const advice = `${now} took its place. Choose it there, then save the workflow`;
	throw new InvalidParameter(where, `has no field "${name}": ${advice}`);
}
