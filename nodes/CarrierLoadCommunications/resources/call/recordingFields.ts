import type { INodeProperties } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../shared/fields/parameters';
import { optionsField, requestOptions } from '../../../shared/fields/requestOptions';
import { DEFAULT_MAX_RECORDING_BYTES } from '../../../shared/service/http/defaults';
import { callIdField, lookUpFields } from './lookUp';

export const RECORDING_SOURCES = ['callId', 'url'] as const;

const BYTES_PER_MB = 1024 * 1024;
const DEFAULT_MAX_MB = DEFAULT_MAX_RECORDING_BYTES / BYTES_PER_MB;
const MAX_MB = 1000;

export const recordingFields: INodeProperties[] = [
	{
		displayName: 'Find Recording By',
		name: 'recordingSource',
		type: 'options',
		options: [
			{
				name: 'Call ID',
				value: 'callId',
				description: 'Find the call and take its recording',
			},
			{
				name: 'Recording URL',
				value: 'url',
				description: 'Use the recordingUrl of a call that was already read',
			},
		],
		default: 'callId',
		description: 'How to find the recording',
	},
	...[callIdField, ...lookUpFields].map(shownForCallId),
	{
		displayName: 'Recording URL',
		name: 'recordingUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.recordingUrl }}',
		displayOptions: { show: { recordingSource: ['url'] } },
		description: 'The recordingUrl of a call',
	},
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the output binary field to put the file in',
	},
	optionsField([
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. load-48213.mp3',
			description: 'Name of the file. Leave empty to take the one that the service gives.',
		},
		{
			displayName: 'Max Size (MB)',
			name: 'maxSize',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_MB },
			default: DEFAULT_MAX_MB,
			description: 'Refuse recordings that are larger than this',
		},
		...requestOptions,
	]),
];

function shownForCallId(field: INodeProperties): INodeProperties {
	return { ...field, displayOptions: { show: { recordingSource: ['callId'] } } };
}

/** Where in the item the file goes. @throws InvalidParameter for what is no field name */
export function readProperty(parameters: Parameters): string {
	const name = parameters.text({
		name: 'binaryPropertyName',
		displayName: 'Put Output File in Field',
		maxLength: 100,
	});
	if (/^(?!__proto__$)[\w-]+$/.test(name)) return name;
	const problem = 'must consist of letters, digits, - and _';
	throw new InvalidParameter('Put Output File in Field', problem, name);
}

/** The size limit, in bytes. */
export function readMaxBytes(parameters: Parameters): number {
	const megabytes = parameters.optionalNumber(
		{ name: 'options.maxSize', displayName: 'Max Size (MB)' },
		{ min: 1, max: MAX_MB },
	);
	return Math.floor((megabytes ?? DEFAULT_MAX_MB) * BYTES_PER_MB);
}

/** The name that the user wants for the file. @throws InvalidParameter for a path */
export function readFileName(parameters: Parameters): string | undefined {
	const name = parameters.optionalText({
		name: 'options.fileName',
		displayName: 'File Name',
		maxLength: 200,
	});
	if (name === undefined || !/[/\\\p{Cc}]/u.test(name)) return name;
	throw new InvalidParameter('File Name', 'must be a name without folders', name);
}
