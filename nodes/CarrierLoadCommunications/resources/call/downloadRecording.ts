import type { IDataObject } from 'n8n-workflow';

import { simplify } from '../../../shared/columns/columns';
import { fields } from '../../../shared/fields/collection';
import { propertiesOf, valuesOf } from '../../../shared/fields/field';
import type { Field } from '../../../shared/fields/fieldTypes';
import { choice, number, text } from '../../../shared/fields/simpleFields';
import { ServiceFailure } from '../../../shared/service/failure';
import type { ItemRun } from '../../operations/operation';
import { itemOperation } from '../../operations/readOperation';
import { lookUp, lookUpFields, type CallLookUp } from './get';

type Source = { url: string } | CallLookUp;

const sourceFields = {
	recordingSource: choice({
		label: 'Find Recording By',
		choices: [
			{ name: 'Call ID', value: 'callId', description: 'Find the call and download its recording' },
			{
				name: 'Recording URL',
				value: 'url',
				description: 'Use the recordingUrl of a call you already have',
			},
		],
		default: 'callId',
		about: 'How to find the recording',
	}),
	...lookUpFields({ show: { recordingSource: ['callId'] } }),
	recordingUrl: text({
		label: 'Recording URL',
		required: true,
		example: '{{ $json.recordingUrl }}',
		show: { recordingSource: ['url'] },
		about: 'The recordingUrl of a call',
		maxLength: 8000,
		// A service may also return just a path.
		check: (url) => (/^(https?:\/)?\//i.test(url) ? undefined : 'must be a URL'),
	}),
};

const source: Field<Source> = {
	properties: () => propertiesOf(sourceFields),
	read(parameters) {
		const { recordingSource, recordingUrl, ...call } = sourceFields;
		return recordingSource.read(parameters, 'recordingSource') === 'url'
			? { url: recordingUrl.read(parameters, 'recordingUrl') }
			: valuesOf(parameters, call);
	},
};

const options = {
	fileName: text({
		label: 'File Name',
		example: 'load-48213.mp3',
		maxLength: 200,
		about: 'Name of the file. Leave empty to use the name in its URL.',
		check: (name) => (/[/\\\p{Cc}]/u.test(name) ? 'must be a name without folders' : undefined),
	}),
	maxSize: number({
		label: 'Max Size (MB)',
		...{ min: 1, max: 1000, default: 100 },
		about: 'Refuse recordings larger than this',
		unit: 1024 * 1024,
	}),
};

export const downloadRecording = itemOperation({
	name: 'Download Recording',
	value: 'downloadRecording',
	action: 'Download a call recording',
	description: 'Save the recording of a past call as a file',
	form: fields({
		source,
		binaryPropertyName: text({
			label: 'Put Output File in Field',
			required: true,
			default: 'data',
			example: 'data',
			hint: 'The name of the output binary field to put the file in',
			maxLength: 100,
			check: (name) =>
				/^(?!__proto__$)[\w-]+$/.test(name)
					? undefined
					: 'must consist of letters, digits, - and _',
		}),
	}),
	options,
	async executeItem({ source: asked, binaryPropertyName, options: chosen }, run) {
		const { context, client } = run;
		const sources = run.all.map(({ source: each }) => each);
		const { about, url } = await locate(run, asked, sources);
		const binary = await client.downloadRecording(
			url,
			chosen.maxSize,
			async ({ stream, fileName, contentType }) =>
				await context.helpers.prepareBinaryData(stream, chosen.fileName ?? fileName, contentType),
		);
		const { fileName, mimeType, bytes: fileSizeBytes } = binary;
		const json = { ...about, fileName, mimeType, fileSizeBytes };
		return { rows: [{ json, binary: { [binaryPropertyName]: binary } }] };
	},
});

const aboutCall = simplify(['createdAt', 'loadNumber', 'callId'], 'callId');

/** The link of a recording, and what is known of its call. @throws ServiceFailure */
async function locate(
	run: Pick<ItemRun<unknown>, 'client' | 'context'>,
	asked: Source,
	all: readonly Source[],
) {
	const about: IDataObject = {};
	if ('url' in asked) return { url: asked.url, about };
	const calls = all.flatMap((source) => ('url' in source ? [] : source));
	const call = await lookUp(run, asked, calls);
	const { recordingUrl } = call;
	if (typeof recordingUrl === 'string' && recordingUrl !== '') {
		return { url: recordingUrl, about: aboutCall(call) };
	}
	throw new ServiceFailure({
		kind: 'status',
		what: `Call ${asked.callId} has no recording`,
		advice: 'If the call is still in progress or just ended, try again in a few minutes',
	});
}
