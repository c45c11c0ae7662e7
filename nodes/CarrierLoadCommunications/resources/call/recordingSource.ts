import type { IDataObject } from 'n8n-workflow';

import { simplify } from '../../../shared/columns/columns';
import { choice } from '../../../shared/fields/choice';
import { group } from '../../../shared/fields/field';
import type { Parameters } from '../../../shared/fields/parameters';
import { text } from '../../../shared/fields/text';
import { ServiceFailure } from '../../../shared/service/http/failure';
import { isGone } from '../../../shared/service/recording/otherHost';
import type { ItemRun } from '../../operations/itemOperation';
import type { LookUp } from './callWalks';
import { forgetCalls, lookUp, lookUpFields } from './lookUp';

/** Which recording to download. */
export type Source = { url: string } | LookUp;

/** "Find Recording By", with the fields of each way. */
export const source = group(
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

const aboutCall = simplify(['createdAt', 'loadNumber', 'callId'], 'callId');

interface Located {
	url: string;
	about: IDataObject;
}

function callOf(parameters: Parameters): LookUp | undefined {
	const asked = source.read(parameters, 'source');
	return 'url' in asked ? undefined : asked;
}

/**
 * The link of a call whose link no longer works: it may have expired while the recordings of other
 * items were downloaded.
 *
 * @throws the error of the link, if there is no other one
 */
export async function newLink(
	run: ItemRun,
	asked: Source,
	old: { url: string; error: unknown },
): Promise<string> {
	if (!isGone(old.error) || 'url' in asked) throw old.error;
	forgetCalls(run);
	const { url } = await locate(run, asked);
	if (url === old.url) throw old.error;
	return url;
}

/** The link of a recording, and what is known of its call. @throws ServiceFailure */
export async function locate(run: ItemRun, asked: Source): Promise<Located> {
	if ('url' in asked) return { url: asked.url, about: {} };
	const call = await lookUp(run, asked, callOf);
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
