// Faults planted in the published workflows, to see whether the judge of a week finds what they do.
import type { Example } from '../../playground/demo/examples.mts';
import { NEVER } from './judge.mts';

interface Fault {
	/** What the judge must find. */
	kind: string;
	workflow: string;
	node: string;
	/** Changes the node, or with `undefined` takes it out of the way of the data. */
	change?: (parameters: string) => string;
}

/** A judge's kind by its first words, so that a renamed kind is an error. */
function never(start: string): string {
	const kind = NEVER.find((one) => one.startsWith(start));
	if (kind === undefined) throw new Error(`The judge has no kind "${start}"`);
	return kind;
}

const TMS = 'tmsEventToCheckCall';
const OUTCOMES = 'callOutcomeToTable';
const replaced = (from: string, to: string) => (parameters: string) =>
	parameters.replaceAll(from, to);

/** All are planted together: each shows at another kind of load or call. */
export const FAULTS: readonly Fault[] = [
	{
		...{ kind: never('a call for a load known to be canceled'), workflow: TMS },
		...{ node: 'How loads ended', change: replaced('={{ $json.event }}', '') },
	},
	{
		...{ kind: never('two calls for one departure'), workflow: TMS },
		...{ node: 'First report of each', change: replaced('$json.id ?? 0', '1e9') },
	},
	{
		...{ kind: never('two calls for one departure'), workflow: TMS },
		...{ node: 'Check call', change: replaced('"skipIfCalledWithin":1', '"skipIfCalledWithin":0') },
	},
	{
		...{ kind: never('more than 3 calls to one phone'), workflow: TMS },
		node: 'Check call',
		// Whoever has opted out is called again, too: else that may end the calls to the phone first.
		change: (parameters) =>
			parameters
				.replace('"maxCallsPerNumber":3', '"maxCallsPerNumber":99')
				.replace(/"doNotCall":"[^"]*",/, ''),
	},
	{
		...{ kind: never("a call to another phone than the load's"), workflow: TMS },
		node: 'Who drives',
		change: (parameters) =>
			parameters.replace(/\$json\.newPhone \|\| \(.*? : (\$json\.phone)\)/, '$1'),
	},
	{
		...{ kind: never('the load is nowhere'), workflow: TMS },
		...{ node: 'Add to manual calls', change: replaced('={{ $json.loadNumber }}', '') },
	},
	{
		...{ kind: never('reached, and it was not'), workflow: OUTCOMES },
		node: 'Only what is known',
		change: replaced('($json)', `($json).concat([['outcome', 'reached']])`),
	},
	{
		...{ kind: 'the call has no outcome', workflow: OUTCOMES },
		...{ node: 'Outcome from the list' },
	},
	{
		...{ kind: 'the call has no outcome', workflow: OUTCOMES },
		...{ node: 'Every hour' },
	},
];

/**
 * The workflow with its faults.
 * @throws Error if a fault changes nothing: the workflow has changed since
 */
export function withFaults(example: Example): Example {
	const { nodes, connections, ...rest } = structuredClone(example);
	for (const { workflow, node: name, change } of FAULTS) {
		if (workflow !== example.id) continue;
		const node = nodes.find((one) => one['name'] === name);
		const before = JSON.stringify(node?.['parameters']);
		if (node === undefined) throw new Error(`${example.name} has no node "${name}"`);
		if (change === undefined) {
			node['disabled'] = true;
			connections[name] = { main: [] };
			continue;
		}
		const after = change(before);
		if (after === before) throw new Error(`The fault in "${name}" changes nothing`);
		node['parameters'] = JSON.parse(after);
	}
	return { ...rest, nodes, connections };
}
