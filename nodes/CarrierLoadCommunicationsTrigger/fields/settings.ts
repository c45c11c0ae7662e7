import type { IWebhookFunctions } from 'n8n-workflow';

import { isRecord, isScalar, ownField } from '../parse/fields';
import { readKinds, type EventFilters, type MetadataCondition } from '../deliver/filters';

export type KindMode = 'all' | 'only' | 'split';
export type ResumeMode = 'resumeOnly' | 'resumeAndStart' | 'off';

/** The trigger's fields, read once for a request. */
export interface TriggerSettings {
	authentication: 'none' | 'webhook';
	kindMode: KindMode;
	/** In lower case, in the order of the outputs. */
	kinds: string[];
	filters: EventFilters;
	allowedAddresses: string;
	eventIdField: string;
	eventIdHeader: string;
	eventListField: string;
	metadataField: string;
	healthCheck: boolean;
	ignoreRepeats: boolean;
	includeHeaders: boolean;
	resume: ResumeMode;
	/** JSON text for the answer; empty for the trigger's own. */
	responseBody: string;
	/** The address of a waiting webhook of this n8n, with any last step. */
	ownWaitingAddress: string;
}

/** Reads the trigger's fields; what cannot be read has the stricter meaning. */
export function readSettings(context: IWebhookFunctions): TriggerSettings {
	const parameter = (name: string): unknown => context.getNodeParameter(name, '');
	const options = parameter('eventOptions');
	const text = (name: string) => asText(ownField(options, name));
	const kindMode = oneOf(['only', 'split'], parameter('eventKinds')) ?? 'all';
	const kinds = readKinds(asText(parameter('kinds')));
	const filters = parameter('filters');
	return {
		authentication: parameter('authentication') === 'none' ? 'none' : 'webhook',
		kindMode,
		kinds,
		filters: {
			kinds: kindMode === 'only' ? kinds : undefined,
			metadata: readConditions(ownField(filters, 'metadata')),
			loadNumber: asText(ownField(filters, 'loadNumber')),
		},
		allowedAddresses: text('allowedAddresses'),
		eventIdField: text('eventIdField'),
		eventIdHeader: text('eventIdHeader'),
		eventListField: text('eventListField'),
		metadataField: text('metadataField'),
		healthCheck: ownField(options, 'healthCheck') === true,
		ignoreRepeats: ownField(options, 'ignoreRepeats') !== false,
		includeHeaders: ownField(options, 'includeHeaders') === true,
		resume: oneOf(['resumeAndStart', 'off'], ownField(options, 'resume')) ?? 'resumeOnly',
		responseBody: text('responseBody'),
		ownWaitingAddress: asText(parameter('ownWaitingAddress')),
	};
}

function readConditions(metadata: unknown): MetadataCondition[] {
	const conditions = ownField(metadata, 'condition');
	if (!Array.isArray(conditions)) return [];
	return conditions.filter(isRecord).flatMap((condition) => {
		const key = asText(ownField(condition, 'key'));
		if (key === '') return [];
		const exists = ownField(condition, 'test') === 'exists';
		return [exists ? { key } : { key, equals: asText(ownField(condition, 'value')) }];
	});
}

function asText(value: unknown): string {
	if (isRecord(value) || Array.isArray(value)) return JSON.stringify(value);
	return isScalar(value) ? String(value).trim() : '';
}

function oneOf<Choice extends string>(choices: Choice[], value: unknown): Choice | undefined {
	return choices.find((choice) => choice === value);
}
