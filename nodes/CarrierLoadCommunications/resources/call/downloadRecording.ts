import { fields } from '../../../shared/fields/form';
import { number } from '../../../shared/fields/number';
import { text } from '../../../shared/fields/text';
import { DEFAULT_MAX_RECORDING_BYTES } from '../../../shared/service/http/defaults';
import { itemOperation } from '../../operations/itemOperation';
import { locate, newLink, source } from './recordingSource';

const BYTES_PER_MB = 1024 * 1024;

/** Sizes in bytes. */
const options = {
	fileName: text({
		label: 'File Name',
		example: 'load-48213.mp3',
		maxLength: 200,
		about: 'Name of the file. Leave empty to use the name the service gives.',
		check: (name) => (/[/\\\p{Cc}]/u.test(name) ? 'must be a name without folders' : undefined),
	}),
	maxSize: number({
		label: 'Max Size (MB)',
		min: 1,
		max: 1000,
		default: DEFAULT_MAX_RECORDING_BYTES / BYTES_PER_MB,
		about: 'Refuse recordings larger than this',
		unit: BYTES_PER_MB,
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
		const { about, url } = await locate(run, asked);
		const download = async (link: string) =>
			await client.downloadRecording(
				link,
				chosen.maxSize,
				async ({ stream, fileName, contentType }) =>
					await context.helpers.prepareBinaryData(stream, chosen.fileName ?? fileName, contentType),
			);
		const binary = await download(url).catch(
			async (error: unknown) => await download(await newLink(run, asked, { url, error })),
		);
		const { fileName, mimeType, bytes: fileSizeBytes } = binary;
		const json = { ...about, fileName, mimeType, fileSizeBytes };
		return [{ json, binary: { [binaryPropertyName]: binary } }];
	},
});
