import type { FailureDetails } from '../service/http/failure';

/**
 * The error's description: the service's own words, what to do now, and the request.
 *
 * @param options names of the node's options, for advice to change one
 */
export function describeFailure(details: FailureDetails, options: readonly string[] = []): string {
	const { serviceMessage, advice, changes = {} } = details;
	const words = serviceMessage && `The service said: "${serviceMessage}"`;
	const possible = options.flatMap((name) => changes[name] ?? []).join(', ');
	const change = possible && `What you can change under Options: ${possible}`;
	return joinSentences([words, advice, change, asked(details)]);
}

/** Sentences with or without their periods as one text. */
export function joinSentences(sentences: Array<string | undefined>): string {
	return sentences
		.flatMap((sentence) => sentence || [])
		.map((sentence) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`))
		.join(' ');
}

/** "Request: GET /api/v1/calls (load 48213, records 501 to 1,000, tried 5 times, ECONNRESET)" */
function asked({ request, about, page, attempts, code }: FailureDetails): string | undefined {
	if (request === undefined) return undefined;
	const more = [about, page, attempts && `tried ${attempts} times`, code].filter(Boolean);
	return `Request: ${request}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}
