import type { FailureDetails } from '../service/http/failure';

/** The error's description: the service's own words, what to do now, and the request. */
export function describeFailure(details: FailureDetails): string {
	const { serviceMessage, advice } = details;
	const words = serviceMessage && `The service said: "${serviceMessage}"`;
	return joinSentences([words, advice, asked(details)]);
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
