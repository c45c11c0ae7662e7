import { everythingIn } from '../../../shared/fields/collection';
import type { Parameters } from '../../../shared/fields/parameters';
import { NotPlaced } from '../output/callErrors';
import { ruleFields } from './fields/rulesFields';

/**
 * Refuses a run with more items than calls are allowed, before the first call.
 *
 * @throws NotPlaced
 */
export function refuseTooMany(items: number, parameters: Parameters): void {
	everythingIn(parameters, 'rules', 'Calling Rules');
	const most = ruleFields.maxCalls.read(parameters, 'rules.maxCalls');
	if (items <= most) return;
	throw new NotPlaced(
		`There are ${items} items, but Max Calls per Run is ${most}`,
		'If all of them are to be called, raise Max Calls per Run (Calling Rules); otherwise filter the items before this node',
	);
}
