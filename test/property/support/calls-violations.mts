import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Case } from './calls-cases.mts';
import { tagOf, type RunEnd, type StoredExecution } from './calls-execution.mts';
import type { CallService, Ring } from './calls-service.mts';

/** One start of an execution, and how it ended. */
export interface FinishedRun {
	execution: StoredExecution;
	end: RunEnd;
	/** The phones that had rung when it ended. */
	rings: Ring[];
}

/** What is wrong with how it ended, in words; empty when nothing is. */
export function violations(drawn: Case, runs: FinishedRun[], service: CallService): string[] {
	return [
		...dialedTwice(service),
		...(drawn.guardMinutes > 0 ? calledWithinGuard(drawn, service) : []),
		...runs.flatMap(({ execution, end, rings }) => {
			if (end === 'crashed') return [];
			if ('error' in end) return errorViolations(execution, end.error, rings);
			if (end.output.length !== execution.items.length) return ['an item was lost'];
			return end.output.flatMap((item, index) =>
				itemViolations(tagOf(execution, index), item, rings, service),
			);
		}),
	];
}

function dialedTwice({ rings }: CallService): string[] {
	const tags = rings.map(({ tag }) => tag);
	return tags.filter((tag, index) => tags.indexOf(tag) !== index).map((tag) => `twice: ${tag}`);
}

function calledWithinGuard(drawn: Case, { rings }: CallService): string[] {
	const sameTarget = (one: Ring, other: Ring) =>
		one.toPhone === other.toPhone && one.load === other.load;
	return rings.flatMap((ring, index) =>
		rings
			.slice(0, index)
			.filter((earlier) => sameTarget(earlier, ring))
			.filter((earlier) => ring.at - earlier.at < drawn.guardMinutes * 60_000)
			.map((earlier) => `within the guard: ${earlier.tag} and ${ring.tag}`),
	);
}

/** Whether the message leaves it open that somebody was called. */
export const isUnknown = (message: string) => message.includes('may or may not have been placed');

function errorViolations(
	execution: StoredExecution,
	{ message, itemIndex }: { message: string; itemIndex: number },
	rings: Ring[],
): string[] {
	const tag = tagOf(execution, itemIndex);
	if (isUnknown(message) || !rings.some((ring) => ring.tag === tag)) return [];
	return [`placed, but failed plainly: ${tag}: ${message}`];
}

function itemViolations(
	tag: string,
	{ json }: INodeExecutionData,
	rings: Ring[],
	service: CallService,
): string[] {
	const own = rings.find((ring) => ring.tag === tag);
	if ('error' in json) {
		return own && !isUnknown(String(json.error)) ? [`placed, but failed plainly: ${tag}`] : [];
	}
	const { callId, placement }: IDataObject = json;
	const call = service.rings.find(({ id }) => id === callId);
	if (!call) return [`no such call: ${tag}`];
	if (placement === 'skippedDuplicate') return own ? [`skipped, but called: ${tag}`] : [];
	return call.tag === tag ? [] : [`${String(placement)} with the call of ${call.tag}: ${tag}`];
}
