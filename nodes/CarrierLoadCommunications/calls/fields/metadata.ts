import type { IExecuteFunctions } from 'n8n-workflow';

import { flag } from '../../../shared/fields/choice';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../shared/fields/parameters';
import type { Metadata } from '../../../shared/service/contract';
import { pairs } from './pairs';

export const metadata = pairs({
	label: 'Metadata',
	about: 'Your own references. They come back in the webhook events about the call.',
	example: ['shipmentId', 'SH-20931'],
	anyJson: false,
});

export const metadataOptions = {
	addReference: flag({
		label: 'Add Load and Workflow to Metadata',
		default: true,
		about:
			'Whether to add the load (loadNumber, or loadId and dotNumber) and n8nWorkflowId, n8nExecutionId, n8nNode and n8nItem, so webhook events can be traced to the load and this execution. Your own keys take precedence.',
	}),
	otherValuesAsText: flag({
		label: 'Send Other Metadata Values as Text',
		default: false,
		about:
			'Whether to turn lists, objects, true, false and empty values into text. The service accepts only text and numbers.',
	}),
};

/**
 * One item's metadata: text and numbers (contract 2.8), keeping their types.
 *
 * @throws InvalidParameter that names the key of any other value
 */
export function readMetadata(parameters: Parameters): Metadata {
	const asText = metadataOptions.otherValuesAsText.read(parameters, 'options.otherValuesAsText');
	const sent = [...metadata.read(parameters, 'metadata')].filter(
		([, value]) => value !== undefined,
	);
	return Object.fromEntries(
		sent.map(([key, value]) => [key, asText ? toText(key, value) : textOrNumber(key, value)]),
	);
}

/**
 * Adds what the call is about, because an event may have only the metadata (contract 6), and n8n's
 * own reference (execution, node, item). The user's keys take precedence.
 */
export function withReference(
	context: IExecuteFunctions,
	parameters: Parameters,
	{ loadNumber, loadId, dotNumber }: { loadNumber?: string; loadId?: string; dotNumber?: number },
	own: Metadata,
): Metadata {
	if (!metadataOptions.addReference.read(parameters, 'options.addReference')) return own;
	return {
		...(loadNumber !== undefined && { loadNumber }),
		...(loadId !== undefined && { loadId }),
		...(dotNumber !== undefined && { dotNumber }),
		n8nWorkflowId: String(context.getWorkflow().id ?? ''),
		n8nExecutionId: context.getExecutionId(),
		n8nNode: parameters.node.name,
		n8nItem: parameters.itemIndex,
		...own,
	};
}

function textOrNumber(key: string, value: unknown): string | number {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	throw new InvalidParameter(
		'Metadata',
		`"${key}" is ${kindOf(value)}, but only text and numbers can be sent; leave it out, or turn on the option Send Other Metadata Values as Text`,
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
	// Dates from n8n's expressions convert themselves to JSON text.
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
