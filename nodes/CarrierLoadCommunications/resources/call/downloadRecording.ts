import type { IDataObject } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../shared/fields/parameters';
import type { ServiceClient } from '../../../shared/service/client';
import { ServiceFailure } from '../../../shared/service/http/failure';
import { perItem } from '../../operations/readOperation';
import { connectFor } from '../../operations/rows';
import { lookUp, readWanted } from './lookUp';
import {
	RECORDING_SOURCES,
	readFileName,
	readMaxBytes,
	readProperty,
	recordingFields,
} from './recordingFields';

const MAX_URL_LENGTH = 8000;

export const downloadRecording = perItem({
	name: 'Download Recording',
	value: 'downloadRecording',
	action: 'Download the recording of a past call (read only)',
	description: 'Put the recording of a past call into a file field. Dials no one.',
	fields: recordingFields,
	async executeItem(context, parameters) {
		const property = readProperty(parameters);
		const maxBytes = readMaxBytes(parameters);
		const wantedName = readFileName(parameters);
		const locate = readSource(parameters);
		const client = await connectFor(context, parameters);
		const { url, about } = await locate(client);
		const recording = await client.downloadRecording(url, maxBytes);
		const binary = await context.helpers.prepareBinaryData(
			recording.data,
			wantedName ?? recording.fileName,
			recording.contentType,
		);
		const { fileName, mimeType } = binary;
		const json = { ...about, fileName, mimeType, fileSizeBytes: recording.data.length };
		return [{ json, binary: { [property]: binary } }];
	},
});

interface Located {
	url: string;
	/** What is known of the call. */
	about: IDataObject;
}

/** Reads the fields at once, so that a wrong one is found before anything is sent. */
function readSource(parameters: Parameters): (client: ServiceClient) => Promise<Located> {
	const source = parameters.optionalChoice(
		{ name: 'recordingSource', displayName: 'Find Recording By' },
		RECORDING_SOURCES,
	);
	if (source === 'url') {
		const url = parameters.text({
			name: 'recordingUrl',
			displayName: 'Recording URL',
			maxLength: MAX_URL_LENGTH,
		});
		// A service may also name its recordings by a path of its own.
		if (/^(https?:\/)?\//i.test(url)) return async () => ({ url, about: {} });
		throw new InvalidParameter('Recording URL', 'must be a web address', url);
	}
	const wanted = readWanted(parameters);
	return async (client) => {
		const call = await lookUp(client, wanted);
		const { id, createdAt, loadIds, recordingUrl } = call;
		if (typeof recordingUrl === 'string' && recordingUrl !== '') {
			return { url: recordingUrl, about: { callId: id, createdAt, loadIds } };
		}
		throw new ServiceFailure({
			kind: 'status',
			what: `Call ${wanted.callId} has no recording`,
			advice: 'If the call is still going on or has just ended, try again in a few minutes',
		});
	};
}
