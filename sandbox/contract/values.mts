import * as z from 'zod';

/** Contract 4.5: E.164 with + and country code; for an extension `;ext=` and its digits. */
export const phoneSchema = z
	.string()
	.regex(/^\+[1-9]\d{6,14}(;ext=\d+)?$/, 'must be a phone number like +13125550142;ext=204')
	.meta({ description: 'E.164, then ;ext= and digits for an extension' });

/** Contract 2: an ISO 8601 timestamp. */
export const timestampSchema = z.iso.datetime({ offset: true });

/** Contract 4.1 "date in ISO 8601": a timestamp or a date alone; without an offset it is read as UTC. */
export const timeSchema = z.union(
	[z.iso.datetime({ offset: true, local: true }), z.iso.date()],
	'must be an ISO 8601 date or date-time, like 2026-02-03T08:00:00Z',
);

/** Contract 4.3: "city, state". */
export const placeSchema = z
	.string()
	.regex(/^[^,]*[^,\s][^,]*,\s*[^,\s][^,]*$/, 'must be city and state, like "Joliet, IL"');

/** Contract 2.8. */
export const metadataSchema = z
	.record(z.string(), z.union([z.string(), z.number()], 'must be a string or a number'))
	.meta({ id: 'Metadata' });

/** Text that isn't blank. */
export const textSchema = z.string().min(1, 'must not be empty');

export type Metadata = z.infer<typeof metadataSchema>;
