import type { INodeExecutionData, INodeOutputConfiguration, INodeParameters } from 'n8n-workflow';

import type { CallEvent } from '../parse/callEvent';
import { kindOf } from './filters';
import type { TriggerSettings } from '../fields/settings';

/**
 * The node's outputs: one; or, when the user wants it, one for each kind of event and a last one for
 * all other events. The editor runs this function's source as an expression, so it uses nothing
 * from outside itself. It reads kinds as `readKinds` does.
 */
export const configuredOutputs = (parameters: INodeParameters): INodeOutputConfiguration[] => {
	if (parameters.eventKinds !== 'split') return [{ type: 'main' }];
	const kinds = String(parameters.kinds ?? '')
		.split(',')
		.map((kind) => kind.trim().toLowerCase())
		.filter((kind, index, all) => kind !== '' && all.indexOf(kind) === index);
	return [...kinds, 'Other'].map((displayName) => ({ type: 'main', displayName }));
};

/** One item for each event, at the output where it belongs. */
export function toOutputs(
	events: CallEvent[],
	{ kindMode, kinds }: Pick<TriggerSettings, 'kindMode' | 'kinds'>,
): INodeExecutionData[][] {
	const items = events.map((event) => ({ json: { ...event } }));
	if (kindMode !== 'split') return [items];
	const outputs = Array.from({ length: kinds.length + 1 }, (): INodeExecutionData[] => []);
	for (const [index, event] of events.entries()) {
		const known = kinds.indexOf(kindOf(event));
		const item = items[index];
		if (item) outputs[known < 0 ? kinds.length : known]?.push(item);
	}
	return outputs;
}
