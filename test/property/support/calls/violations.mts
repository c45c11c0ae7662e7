import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Case } from './cases.mts';
import { tagOf, type RunEnd, type StoredExecution } from './execution.mts';
import type { CallService, Ring } from './service.mts';

/** One start of an execution, and how it ended. */
export interface FinishedRun {
	execution: StoredExecution;
	end: RunEnd;
	/** The phones that had rung when it ended. */
	rings: Ring[];
}

/** What is wrong with how it ended, in words; empty if nothing is. */
export function violations(drawn: Case, runs: FinishedRun[], service: CallService): string[] {
	return [
		...dialedTwice(runs, service),
		...(drawn.guardMinutes > 0 ? calledWithinGuard(drawn, service) : []),
		...runs.flatMap((run) => {
			const { end, execution } = run;
			if (end === 'crashed') return [];
			if ('error' in end) return unnamed(run, end.error);
			if (end.output.length !== execution.items.length) return ['an item was lost'];
			return [
				...wrongItems(run, end.output, service),
				...failedPlainly(run, end.output),
				...(runs.some(isCrashed) || drawn.rival === 'worker'
					? []
					: doubtedGroundlessly(run, end.output, service)),
			];
		}),
	];
}

const count = (tags: string[], tag: string) => tags.filter((each) => each === tag).length;

/** More phones rang for a call than there were equal items in any start of its iteration. */
function dialedTwice(runs: FinishedRun[], { rings }: CallService): string[] {
	const rung = rings.map(({ tag }) => tag);
	return [...new Set(rung)]
		.filter((tag) => {
			const asked = runs.map(({ execution }) => count(tagsOf(execution), tag));
			return count(rung, tag) > Math.max(...asked);
		})
		.map((tag) => `twice: ${tag}`);
}

const tagsOf = (execution: StoredExecution) =>
	execution.items.map((_item, index) => tagOf(execution, index));

function calledWithinGuard(drawn: Case, { rings }: CallService): string[] {
	// Agent calls have different variables in each execution, so none is another's duplicate.
	if (drawn.operation === 'createAgentCall') return [];
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

/** Whether the message says that someone may have been called. */
export const isUnknown = (message: string) => message.includes('may or may not have been placed');

/**
 * An error that stops the node names each item's call that was placed, by its ID, or that may have
 * been placed, by its number and load. If another start of the execution had more equal items, that
 * many calls belong to the other start.
 */
function unnamed(
	{ execution, rings }: FinishedRun,
	{ message, description }: { message: string; description: string },
): string[] {
	const text = `${message} ${description}`;
	const [open = ''] = /May or may not have been placed: [^.]*/.exec(text) ?? [];
	const tags = tagsOf(execution);
	return [...new Set(tags)].flatMap((tag) => {
		const rung = rings.filter((ring) => ring.tag === tag);
		const [first] = rung;
		if (first === undefined) return [];
		const about = first.load === undefined ? '' : ` about load ${first.load}`;
		const named = rung.filter(({ id }) => new RegExp(`\\b${id}\\b`).test(text)).length;
		const inDoubt = open.split(`to ${first.toPhone}${about}`).length - 1;
		const own = Math.min(rung.length, count(tags, tag));
		const ids = rung.map(({ id }) => id).join(', ');
		return named + inDoubt < own ? [`placed, but not named: ${tag} (${ids}): ${text}`] : [];
	});
}

function wrongItems(
	{ execution, rings }: FinishedRun,
	output: INodeExecutionData[],
	service: CallService,
): string[] {
	return output.flatMap(({ json }, index) => {
		if ('error' in json) return [];
		const tag = tagOf(execution, index);
		const { callId, placement }: IDataObject = json;
		const call = service.rings.find(({ id }) => id === callId);
		if (!call) return [`no such call: ${tag}`];
		if (placement === 'skippedDuplicate') {
			const equal = count(tagsOf(execution), tag);
			return rings.filter((ring) => ring.tag === tag).length > equal - 1 && call.tag !== tag
				? [`skipped, but called: ${tag}`]
				: [];
		}
		return call.tag === tag ? [] : [`${String(placement)} with the call of ${call.tag}: ${tag}`];
	});
}

// What was noted before a crash may have been sent; and when two workers write to the table, which has
// no locks, the note of a call that was not placed may stay there.
const isCrashed = ({ end }: FinishedRun) => end === 'crashed';

/** Only a request that may have made a phone ring leaves it open whether it did. */
function doubtedGroundlessly(
	{ execution }: FinishedRun,
	output: INodeExecutionData[],
	{ unclear, rings }: CallService,
): string[] {
	const rung = new Set(rings.map(({ tag }) => tag));
	return tagsOf(execution)
		.filter((_tag, index) => isUnknown(String(output[index]?.json.error)))
		.filter((tag) => !unclear.has(tag) && !rung.has(tag))
		.map((tag) => `in doubt without a reason: ${tag}`);
}

/** At most as many equal items fail with certainty as were not called. */
function failedPlainly({ execution, rings }: FinishedRun, output: INodeExecutionData[]): string[] {
	const tags = tagsOf(execution);
	const rung = rings.map(({ tag }) => tag);
	const plain = tags.filter((_tag, index) => {
		const error = output[index]?.json.error;
		return error !== undefined && !isUnknown(String(error));
	});
	return [...new Set(plain)]
		.filter((tag) => count(plain, tag) > Math.max(0, count(tags, tag) - count(rung, tag)))
		.map((tag) => `placed, but failed plainly: ${tag}`);
}
