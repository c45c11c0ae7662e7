import type { IWebhookFunctions } from 'n8n-workflow';

import { isScalar, ownField } from '../../shared/events/eventParts';
import { isJsonObject } from '../../shared/service/http/json';
import type { IdentitySettings } from '../deliver/eventIdentity';
import { readEventTypes, type EventFilters, type MetadataCondition } from '../deliver/filters';
import type { EventPaths } from '../parse/readEvents';

export type ResumeMode = 'resumeOnly' | 'resumeAndStart' | 'off';

/** The trigger's fields, read once per request. */
export interface TriggerSettings extends IdentitySettings {
	authentication: 'none' | 'webhook';
	filters: EventFilters;
	allowedAddresses: string;
	paths: EventPaths;
	healthCheck: boolean;
	ignoreDuplicates: boolean;
	includeHeaders: boolean;
	resume: ResumeMode;
	/** JSON text for the response; empty for the trigger's own. */
	responseBody: string;
}

/** Reads the trigger's fields. A value that cannot be read gets the stricter meaning. */
export function readSettings(context: IWebhookFunctions): TriggerSettings {
	const parameter = (name: string): unknown => context.getNodeParameter(name, '');
	const options = parameter('eventOptions');
	const text = (name: string) => asText(ownField(options, name));
	const filters = parameter('filters');
	return {
		authentication: parameter('authentication') === 'none' ? 'none' : 'webhook',
		filters: {
			mode: oneOf(['only', 'split'], parameter('eventKinds')) ?? 'all',
			types: readEventTypes(asText(parameter('kinds'))),
			liveEvents: ownField(options, 'includeLiveEvents') === true,
			metadata: readConditions(ownField(filters, 'metadata')),
			loadNumber: asText(ownField(filters, 'loadNumber')),
		},
		allowedAddresses: text('allowedAddresses'),
		eventIdField: text('eventIdField'),
		eventIdHeader: text('eventIdHeader'),
		paths: { list: text('eventListField'), metadata: text('metadataField') },
		healthCheck: ownField(options, 'healthCheck') === true,
		ignoreDuplicates: ownField(options, 'ignoreRepeats') !== false,
		includeHeaders: ownField(options, 'includeHeaders') === true,
		resume: oneOf(['resumeAndStart', 'off'], ownField(options, 'resume')) ?? 'resumeOnly',
		responseBody: text('responseBody'),
	};
}

function readConditions(metadata: unknown): MetadataCondition[] {
	const conditions = ownField(metadata, 'condition');
	if (!Array.isArray(conditions)) return [];
	return conditions.filter(isJsonObject).flatMap((condition) => {
		const key = asText(ownField(condition, 'key'));
		if (key === '') return [];
		const exists = ownField(condition, 'test') === 'exists';
		return [exists ? { key } : { key, equals: asText(ownField(condition, 'value')) }];
	});
}

function asText(value: unknown): string {
	if (isJsonObject(value) || Array.isArray(value)) return JSON.stringify(value);
	return isScalar(value) ? String(value).trim() : '';
}

function oneOf<Choice extends string>(choices: Choice[], value: unknown): Choice | undefined {
	return choices.find((choice) => choice === value);
}
