import { isJsonObject, type JsonObject } from '../service/http/json';
import { fieldsOf, firstScalar, isScalar, reportParts } from './eventParts';

/** What an event says about the call's outcome, named like a listed call (contract 2.3). */
export interface CallOutcome {
	summary?: string | number;
	/** A line per message. May be partial during the call. */
	transcript?: string;
	contentTags?: JsonObject[string];
	recordingUrl?: string | number;
	/** The agent's findings (ETA, offered rate, …). */
	extracted?: JsonObject;
}

const TAG_FIELDS = ['contentTags', 'content_tags', 'callContentTags', 'call_content_tags', 'tags'];

/** Reads the outcome from an event, wherever it is nested. Leaves out empty fields. */
export function readOutcome(event: unknown): CallOutcome {
	const parts = reportParts(event);
	const first = (...names: string[]) => firstScalar(parts, names);
	const outcome = {
		summary: first('summary', 'callSummary', 'call_summary'),
		contentTags: fieldsOf(parts, TAG_FIELDS).find(hasValue),
		transcript: transcriptOf(parts),
		recordingUrl: first('recordingUrl', 'recording_url', 'recordingURL'),
		extracted: fieldsOf(parts, ['extracted', 'extractedData', 'extracted_data'])
			.filter(isJsonObject)
			.find(hasValue),
	};
	return Object.fromEntries(Object.entries(outcome).filter(([, value]) => value !== undefined));
}

/** Whether a value is not null, blank or empty. */
export function hasValue(value: unknown): boolean {
	if (Array.isArray(value)) return value.length > 0;
	if (isJsonObject(value)) return Object.keys(value).length > 0;
	return value === true || isScalar(value);
}

function transcriptOf(parts: readonly JsonObject[]): string | undefined {
	const found = fieldsOf(parts, ['formattedTranscript', 'formatted_transcript', 'transcript']);
	const text = found.find((value) => typeof value === 'string' && hasValue(value));
	if (typeof text === 'string') return text;
	const messages = found.find((value) => Array.isArray(value) && value.length > 0);
	return Array.isArray(messages) ? messages.map(lineOf).join('\n') : undefined;
}

function lineOf(message: unknown): string {
	if (!isJsonObject(message)) return isScalar(message) ? String(message) : '';
	const role = firstScalar([message], ['role', 'speaker']);
	const text = firstScalar([message], ['message', 'content', 'text']) ?? '';
	return role === undefined ? String(text) : `${role}: ${text}`;
}
