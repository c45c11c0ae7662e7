import type { INodeProperties } from 'n8n-workflow';

import { InvalidParameter } from '../../shared/fields/invalidParameter';
import type { JsonObject } from '../../shared/service/json';

/** Fields that were renamed, by where they were, with the label of what took their place. */
const MOVED: Record<'This node' | 'Safety', Record<string, string>> = {
	'This node': {
		...{ contactName: 'More Fields', contactType: 'More Fields', extension: 'More Fields' },
		...{ dryRun: 'Mode', skipIfCalledWithin: 'Safety' },
	},
	Safety: {
		...{ hoursDays: 'Calling Hours', hoursFrom: 'Calling Hours', hoursTo: 'Calling Hours' },
		...{ hoursZone: 'Calling Hours', outsideHours: 'Calling Hours' },
		...{ dryRun: 'Mode', testNumber: 'Mode' },
	},
};

/** n8n drops fields that a node doesn't have: hidden, these stay, so that they can be refused. */
export const movedProperties = Object.keys(MOVED['This node']).map(
	(name): INodeProperties => ({ displayName: name, name, type: 'hidden', default: '' }),
);

/** A workflow from before must not call without what it relied on. @throws InvalidParameter */
export function refuseMoved(stored: JsonObject, where: keyof typeof MOVED): void {
	for (const [name, now] of Object.entries(MOVED[where])) {
		if ((stored[name] ?? '') === '') continue;
		const advice = `${now} took its place. Choose it there, then save the workflow`;
		throw new InvalidParameter(where, `has no field "${name}": ${advice}`);
	}
}
