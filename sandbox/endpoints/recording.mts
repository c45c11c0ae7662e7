import { recordingPathSchema } from '../contract/recording.mts';
import { RequestError, validate } from '../service/request-error.mts';
import type { Service } from '../service/service.mts';
import type { Endpoint } from './endpoint.mts';
import { sampleRecording } from './sample-recording.mts';

/** Where `recordingUrl` points. Requires the token of the organization that owns the call. */
export const downloadRecording = (service: Service): Endpoint => ({
	name: 'recording',
	method: 'GET',
	url: '/recordings/:file',
	read(request) {
		const { file } = validate(recordingPathSchema, request.params, 'path');
		const id = Number(file.replace('.wav', ''));
		return {
			offset: null,
			answer({ organization }) {
				if (service.archives[organization].hasCall(id)) return sampleRecording(id);
				throw new RequestError(404, { message: `There is no recording of call ${id}` });
			},
		};
	},
});
