import type { INodeProperties } from 'n8n-workflow';

/** Keys of a description whose values a person reads. */
const READ_BY_PEOPLE = new Set([
	'displayName',
	'description',
	'hint',
	'placeholder',
	'action',
	'name',
	'subtitle',
	'header',
	'activationHint',
	'activationMessage',
	'eventTriggerDescription',
	'inactive',
	'active',
	'waitingNodeTooltip',
]);

/** The texts of a built node or credential, in the order of its form, each once. */
export function textsOf(description: Record<string, unknown>): string[] {
	const texts = new Set<string>();
	collect(description, texts);
	return [...texts];
}

function collect(value: unknown, texts: Set<string>): void {
	if (Array.isArray(value)) {
		for (const each of value) collect(each, texts);
		return;
	}
	if (typeof value !== 'object' || value === null) return;
	const isParameter = 'type' in value && 'displayName' in value;
	for (const [key, inner] of Object.entries(value as Partial<INodeProperties>)) {
		if (typeof inner !== 'string') collect(inner, texts);
		else if (READ_BY_PEOPLE.has(key) && !(isParameter && key === 'name') && inner !== '') {
			texts.add(inner);
		}
	}
}
