import type { INodeExecutionData, INodeOutputConfiguration, INodeParameters } from 'n8n-workflow';

import type { CallEvent } from '../parse/callEvent';
import { eventType, type EventFilters } from './filters';

/**
 * The node's outputs: one, or one for each event type plus one for all other events. The editor
 * runs this function's source as an expression, so it can't use anything from outside. It parses
 * types as the form does.
 */
export const configuredOutputs = (parameters: INodeParameters): INodeOutputConfiguration[] => {
	if (parameters.eventKinds !== 'split') return [{ type: 'main' }];
	const types = String(parameters.kinds ?? '')
		.split(',')
		.map((type) => type.trim().toLowerCase())
		.filter((type, index, all) => type !== '' && all.indexOf(type) === index);
	return [...types, 'Other'].map((displayName) => ({ type: 'main', displayName }));
};

/** One item per event, at its output. */
export function toOutputs(
	events: CallEvent[],
	{ mode, types }: Pick<EventFilters, 'mode' | 'types'>,
): INodeExecutionData[][] {
	const items = events.map((event) => ({ json: { ...event } }));
	if (mode !== 'split') return [items];
	const outputs = Array.from({ length: types.length + 1 }, (): INodeExecutionData[] => []);
	for (const [index, event] of events.entries()) {
		const output = types.indexOf(eventType(event));
		const item = items[index];
		if (item) outputs[output < 0 ? types.length : output]?.push(item);
	}
	return outputs;
}
