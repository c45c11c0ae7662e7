import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../shared/fields/parameters';
import type { Metadata } from '../../../shared/service/contract/call';
import { readPairs } from './pairs';
import { pairsFields, type PairsField } from './pairsFields';

/** Carries the address at which the waiting execution goes on. */
export const RESUME_URL_KEY = 'n8nResumeUrl';

const field: PairsField = {
	name: 'metadata',
	displayName: 'Metadata',
	description: 'Your own references. They come back in the webhook events about the call.',
	placeholder: { key: 'e.g. shipmentId', value: 'e.g. SH-20931' },
	anyJson: false,
};

export const metadataFields: INodeProperties[] = pairsFields(field);

/** Entries of the Options collection that concern the metadata. */
export const metadataOptions: INodeProperties[] = [
	{
		displayName: 'Add Workflow Reference to Metadata',
		name: 'addReference',
		type: 'boolean',
		default: true,
		description:
			'Whether to add n8nWorkflowId, n8nExecutionId, n8nNode and n8nItem, so that a webhook event finds its way back. Keys of your own win.',
	},
	{
		displayName: 'Send Other Metadata Values as Text',
		name: 'otherValuesAsText',
		type: 'boolean',
		default: false,
		description:
			'Whether to turn lists, objects, true, false and empty values into text. The service takes only text and numbers.',
	},
];

/**
 * The user's own metadata of one item: text and numbers (contract 2.8), type kept.
 *
 * @throws InvalidParameter that names the key of a value of another type
 */
export function readMetadata(context: IExecuteFunctions, parameters: Parameters): Metadata {
	const asText = parameters.flag({
		name: 'options.otherValuesAsText',
		displayName: 'Send Other Metadata Values as Text',
	});
	const pairs = [...readPairs(context, parameters, field)];
	return Object.fromEntries(
		pairs
			.filter(([, value]) => value !== undefined)
			.map(([key, value]) => [key, asText ? toText(key, value) : textOrNumber(key, value)]),
	);
}

/** n8n's own reference (execution, node, item) under the user's metadata, whose keys win. */
export function withReference(
	context: IExecuteFunctions,
	parameters: Parameters,
	metadata: Metadata,
): Metadata {
	const wanted = parameters.optionalFlag({
		name: 'options.addReference',
		displayName: 'Add Workflow Reference to Metadata',
	});
	if (wanted === false) return metadata;
	return {
		n8nWorkflowId: String(context.getWorkflow().id ?? ''),
		n8nExecutionId: context.getExecutionId(),
		n8nNode: context.getNode().name,
		n8nItem: parameters.itemIndex,
		...metadata,
	};
}

function textOrNumber(key: string, value: unknown): string | number {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	throw new InvalidParameter(
		'Metadata',
		`"${key}" is ${kindOf(value)}, but only text and numbers can be sent; leave it out, or switch on the option Send Other Metadata Values as Text`,
		value,
	);
}

function toText(key: string, value: unknown): string | number {
	if (value === null) return '';
	if (typeof value === 'boolean') return String(value);
	if (typeof value !== 'object') return textOrNumber(key, value);
	const text = writeJson(value);
	if (text === undefined) {
		throw new InvalidParameter('Metadata', `"${key}" cannot be turned into text`, value);
	}
	// Dates of n8n's expressions write themselves as JSON text.
	return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

function writeJson(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

function kindOf(value: unknown): string {
	if (value === null) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'boolean') return 'true or false';
	return typeof value === 'number' ? 'not a finite number' : 'an object';
}
