import type { FailureDetails } from '../service/http/failure';

/** The rest of what a user must know of a failure: the service's words, what to do, what was asked. */
export function describeFailure(details: FailureDetails): string {
	const { serviceMessage, advice } = details;
	const sentences = [
		serviceMessage && `The service said: "${serviceMessage}"`,
		advice,
		asked(details),
	];
	return sentences
		.filter((sentence) => sentence !== undefined && sentence !== '')
		.map((sentence) => (/[.!?…]$/.test(String(sentence)) ? sentence : `${sentence}.`))
		.join(' ');
}

/** "Asked: GET /api/v1/calls (load 48213, records 501 to 1,000, tried 5 times, ECONNRESET)" */
function asked({ request, about, page, attempts, code }: FailureDetails): string | undefined {
	if (request === undefined) return undefined;
	const more = [about, page, attempts && `tried ${attempts} times`, code].filter(Boolean);
	return `Asked: ${request}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}
