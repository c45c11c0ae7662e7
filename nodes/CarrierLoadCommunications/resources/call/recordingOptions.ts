import { convert } from '../../../shared/fields/field';
import { number } from '../../../shared/fields/number';
import { text } from '../../../shared/fields/text';
import { DEFAULT_MAX_RECORDING_BYTES } from '../../../shared/service/http/defaults';

const BYTES_PER_MB = 1024 * 1024;

/** Options of Download Recording; sizes in bytes. */
export const recordingOptions = {
	fileName: text({
		label: 'File Name',
		example: 'load-48213.mp3',
		maxLength: 200,
		about: 'Name of the file. Leave empty to use the name the service gives.',
		check: (name) => (/[/\\\p{Cc}]/u.test(name) ? 'must be a name without folders' : undefined),
	}),
	maxSize: convert(
		number({
			label: 'Max Size (MB)',
			min: 1,
			max: 1000,
			default: DEFAULT_MAX_RECORDING_BYTES / BYTES_PER_MB,
			about: 'Refuse recordings larger than this',
		}),
		(megabytes) => Math.floor(megabytes * BYTES_PER_MB),
	),
};
