import type { INodeExecutionData, INodeOutputConfiguration, INodeParameters } from 'n8n-workflow';

import type { ReceivedEvent } from '../parse/readEvents';
import { simplifiedEvent } from '../parse/simplifiedEvent';
import { eventType, type EventFilters } from './filters';

/**
 * One output, or one for each event type and one for all other events. The editor runs this function's
 * source as an expression, so it uses nothing from outside, and parses types as the form does.
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
	events: ReceivedEvent[],
	{ mode, types }: Pick<EventFilters, 'mode' | 'types'>,
	output: 'simplified' | 'all',
): INodeExecutionData[][] {
	const items = events.map((event) => ({
		json: output === 'all' ? { ...event.item } : simplifiedEvent(event),
	}));
	if (mode !== 'split') return [items];
	const outputs = Array.from({ length: types.length + 1 }, (): INodeExecutionData[] => []);
	for (const [index, { item: event }] of events.entries()) {
		const position = types.indexOf(eventType(event));
		const item = items[index];
		if (item) outputs[position < 0 ? types.length : position]?.push(item);
	}
	return outputs;
}
