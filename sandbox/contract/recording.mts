import * as z from 'zod';

/** Where the sandbox keeps recordings; the contract shows only that `recordingUrl` is a string. */
export const recordingPathSchema = z.strictObject({
	file: z.string().regex(/^\d+\.wav$/, 'must be a call id and .wav'),
});
