import type { IDataObject } from 'n8n-workflow';

import { choice } from '../../../shared/fields/choice';
import { group } from '../../../shared/fields/field';
import { fields } from '../../../shared/fields/form';
import type { Parameters } from '../../../shared/fields/parameters';
import { text } from '../../../shared/fields/text';
import { ServiceFailure } from '../../../shared/service/http/failure';
import { itemOperation, type ItemRun } from '../../operations/itemOperation';
import type { LookUp } from './callWalks';
import { lookUp, lookUpFields } from './lookUp';
import { recordingOptions } from './recordingOptions';

/** Which recording to download. */
type Source = { url: string } | LookUp;

const source = group(
	{
		recordingSource: choice({
			label: 'Find Recording By',
			choices: [
				{
					name: 'Call ID',
					value: 'callId',
					description: 'Find the call and download its recording',
				},
				{
					name: 'Recording URL',
					value: 'url',
					description: 'Use the recordingUrl of a call you already have',
				},
			],
			default: 'callId',
			about: 'How to find the recording',
		}),
		...lookUpFields({ recordingSource: ['callId'] }),
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
	},
	(read): Source =>
		read('recordingSource') === 'url'
			? { url: read('recordingUrl') }
			: { callId: read('callId'), lookBackDays: read('lookBackDays'), loadId: read('loadId') },
);

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
	options: recordingOptions,
	async executeItem({ source: asked, binaryPropertyName, options }, run) {
		const { context, client } = run;
		const { url, about } = await locate(run, asked);
		const binary = await client.downloadRecording(
			url,
			options.maxSize,
			async ({ stream, fileName, contentType }) =>
				await context.helpers.prepareBinaryData(stream, options.fileName ?? fileName, contentType),
		);
		const { fileName, mimeType, bytes: fileSizeBytes } = binary;
		const json = { ...about, fileName, mimeType, fileSizeBytes };
		return [{ json, binary: { [binaryPropertyName]: binary } }];
	},
});

interface Located {
	url: string;
	about: IDataObject;
}

function callOf(parameters: Parameters): LookUp | undefined {
	const asked = source.read(parameters, 'source');
	return 'url' in asked ? undefined : asked;
}

async function locate(run: ItemRun, asked: Source): Promise<Located> {
	if ('url' in asked) return { url: asked.url, about: {} };
	const { id, createdAt, loadIds, recordingUrl } = await lookUp(run, asked, callOf);
	if (typeof recordingUrl === 'string' && recordingUrl !== '') {
		return { url: recordingUrl, about: { callId: id, createdAt, loadIds } };
	}
	throw new ServiceFailure({
		kind: 'status',
		what: `Call ${asked.callId} has no recording`,
		advice: 'If the call is still in progress or just ended, try again in a few minutes',
	});
}
