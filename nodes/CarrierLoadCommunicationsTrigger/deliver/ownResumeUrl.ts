import type { IWebhookFunctions } from 'n8n-workflow';

import { callStage } from '../../shared/events/callStage';
import type { ReceivedEvent } from '../parse/readEvents';

/** The events that may end a wait, with the URLs that resume their executions, all of this n8n. */
export function resumeUrls(
	context: IWebhookFunctions,
	events: readonly ReceivedEvent[],
): Map<ReceivedEvent, string> {
	const candidates = events.filter(
		({ resumeUrl, source }) => resumeUrl !== undefined && isAboutEnd(source),
	);
	if (candidates.length === 0) return new Map();
	// The only way for a webhook to learn where its n8n expects waiting executions to be resumed. It
	// costs 20 ms (the expression engine), so it is not asked for other events.
	const own = String(context.evaluateExpression('{{ $execution.resumeUrl }}'));
	return new Map(
		candidates.flatMap((event): Array<[ReceivedEvent, string]> => {
			const url = ownResumeUrl(event.resumeUrl ?? '', own);
			return url === undefined ? [] : [[event, url]];
		}),
	);
}

function isAboutEnd(source: unknown): boolean {
	const stage = callStage(source);
	return stage === 'ended' || stage === 'unknown';
}

/**
 * The URL if it resumes an execution of this n8n.
 *
 * @param own URL of a waiting webhook of this n8n, with any last segment
 */
export function ownResumeUrl(given: string, own: string): string | undefined {
	if (!URL.canParse(given) || !URL.canParse(own)) return undefined;
	const url = new URL(given);
	const { origin, pathname } = new URL(own);
	const root = pathname.replace(/[^/]*$/, '');
	if (url.origin !== origin || url.username !== '' || url.password !== '') return undefined;
	if (root === '/' || !url.pathname.startsWith(root)) return undefined;
	const execution = url.pathname.slice(root.length);
	// Encoded characters are not accepted: a proxy may treat `..%2f` as leaving the path.
	if (!/^[\w-]+(\/[\w-]+)*$/.test(execution)) return undefined;
	return `${url.origin}${url.pathname}${url.search}`;
}
