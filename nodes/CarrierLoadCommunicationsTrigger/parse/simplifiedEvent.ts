import type { IDataObject } from 'n8n-workflow';

import { COLUMN_NAMES, simplifyAll } from '../../shared/columns/columns';
import { EVENT_TYPE_FIELDS } from '../../shared/events/callStage';
import { isScalar, reportParts } from '../../shared/events/eventParts';
import { withoutResumeUrl } from '../../shared/events/resumeUrl';
import type { ReceivedEvent } from './readEvents';

/** Other names of fields that the item has already. */
const OTHER_NAMES = new Set([
	...EVENT_TYPE_FIELDS,
	...['callStatus', 'call_status', 'recordingURL', 'formattedTranscript', 'formatted_transcript'],
]);

const flatten = simplifyAll(COLUMN_NAMES);

/**
 * An event as one flat row: its columns, `extracted_eta`, `metadata_team`, and each other text, number,
 * true or false that it has, since its shape is not in the contract (6).
 */
export function simplifiedEvent({ item, source }: ReceivedEvent): IDataObject {
	const { loadId, loadNumber = loadId, metadata, extracted, ...columns } = item;
	const load = loadNumber ?? metadata.loadNumber ?? metadata.loadId;
	const known = { ...columns, loadNumber: load };
	const flat = flatten({ ...otherFields(source, item), ...shown(known), extracted, metadata });
	return withoutResumeUrl(flat);
}

function otherFields(source: unknown, { callId }: ReceivedEvent['item']): IDataObject {
	const fields: IDataObject = {};
	for (const [name, value] of reportParts(source).flatMap((part) => Object.entries(part))) {
		const camelCase = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
		const column = COLUMN_NAMES.includes(camelCase) ? camelCase : name;
		if (!isScalar(value) && typeof value !== 'boolean') continue;
		const isCallId = name === 'id' && String(value) === String(callId);
		const isNew = !Object.hasOwn(fields, column) && !OTHER_NAMES.has(name) && !isCallId;
		if (isNew) fields[column] = value;
	}
	return fields;
}

function shown(fields: IDataObject): IDataObject {
	const entries = Object.entries(fields);
	return Object.fromEntries(
		entries.filter(([name, value]) => name !== 'payload' && value !== undefined),
	);
}
