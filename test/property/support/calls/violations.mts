import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Case } from './cases.mts';
import { tagOf, type RunEnd, type StoredExecution } from './execution.mts';
import { isDry } from './rules.mts';
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
			return [...wrongItems(drawn, run, end.output, service), ...failedPlainly(run, end.output)];
		}),
		...runs.flatMap((run) => wrongDoubts(drawn, run, runs, service)),
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
	// The test number is called for each person.
	const personOf = ({ tag }: Ring) =>
		drawn.testNumber === undefined ? undefined : tag.split('/')[3];
	const sameTarget = (one: Ring, other: Ring) =>
		one.toPhone === other.toPhone && one.load === other.load && personOf(one) === personOf(other);
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
	const open = doubtIn(description);
	const tags = tagsOf(execution);
	return [...new Set(tags)].flatMap((tag) => {
		const rung = rings.filter((ring) => ring.tag === tag);
		const [first] = rung;
		if (first === undefined) return [];
		const about = first.load === undefined ? '' : ` (load ${first.load})`;
		const named = rung.filter(({ id }) => new RegExp(`\\b${id}\\b`).test(text)).length;
		const inDoubt = open.split(`to ${shownPhone(first.toPhone)}${about}`).length - 1;
		const own = Math.min(rung.length, count(tags, tag));
		const ids = rung.map(({ id }) => id).join(', ');
		return named + inDoubt < own ? [`placed, but not named: ${tag} (${ids}): ${text}`] : [];
	});
}

/** "+13125550101;ext=2" -> "(312) 555-0101 x2", as the node's errors show it. */
function shownPhone(phone: string): string {
	return phone.replace(/^\+1(\d{3})(\d{3})(\d{4})(?!\d)/, '($1) $2-$3').replace(';ext=', ' x');
}

/** "row 1, check call to (312) 555-0101 (load L1); row 4, …" */
function doubtIn(description: string): string {
	const [open = ''] = /May or may not have been placed: [^.]*/.exec(description) ?? [];
	return open;
}

/** What is wrong with how a run reports what no one knows. */
function wrongDoubts(
	drawn: Case,
	run: FinishedRun,
	runs: FinishedRun[],
	service: CallService,
): string[] {
	const { end, execution } = run;
	if (end === 'crashed') return [];
	const isOpen = isLeftOpen(drawn, run, runs);
	const effective = service.effective.filter(({ tag }) => tag.startsWith(`${execution.token}/`));
	if ('error' in end) {
		const about = effective.map(({ toPhone, load = '' }) => `${shownPhone(toPhone)} ${load}`);
		return [
			...wrongBeginning(run, end.error.message, isOpen || effective.length > 0),
			...(isOpen ? [] : needlessDoubt(namedInDoubt(end.error), about)),
		];
	}
	const unknown = tagsOf(execution).filter((_tag, index) =>
		isUnknown(String(end.output[index]?.json.error)),
	);
	const tags = effective.map(({ tag }) => tag);
	return isOpen ? [] : needlessDoubt(unknown, tags);
}

/** The number and load of each call that an error names as unknown. */
function namedInDoubt({ description }: { description: string }): string[] {
	const parts = doubtIn(description).split('; row ');
	return parts.flatMap((part) => {
		const [, phone, load = ''] = /call to ([+(].*?)(?: \(load (\S+)\))?$/.exec(part) ?? [];
		return phone === undefined ? [] : [`${phone} ${load}`];
	});
}

/**
 * "May or may not have been placed" is right only if a request was sent that can have placed a call.
 *
 * @param unknown what is said to be unknown
 * @param effective what can have been placed, of the same execution
 */
function needlessDoubt(unknown: string[], effective: string[]): string[] {
	return [...new Set(unknown)]
		.filter((each) => count(unknown, each) > count(effective, each))
		.map((each) => `in doubt, but never requested: ${each}`);
}

function isLeftOpen(drawn: Case, { execution }: FinishedRun, runs: FinishedRun[]): boolean {
	if (drawn.rival === 'worker') return true;
	return runs.some(
		({ end, execution: other }) => end === 'crashed' && other.token === execution.token,
	);
}

/** What an error that stops the node begins with speaks of all calls of its tries. */
function wrongBeginning(
	{ execution, rings }: FinishedRun,
	message: string,
	mayHaveRung: boolean,
): string[] {
	const { token, runIndex, node } = execution;
	const tags = tagsOf(execution);
	const isRight =
		(message.startsWith('No phone rang. ') && !rings.some(({ tag }) => tags.includes(tag))) ||
		(message.startsWith('The phone may have rung. ') && mayHaveRung) ||
		(message.startsWith('The call was placed. ') &&
			rings.some(({ tag }) => tag.startsWith(`${token}/${runIndex}/${node}/`)));
	return isRight ? [] : [`begins wrongly: ${message}`];
}

function wrongItems(
	drawn: Case,
	{ execution, rings }: FinishedRun,
	output: INodeExecutionData[],
	service: CallService,
): string[] {
	return output.flatMap(({ json }, index) => {
		// See ruleViolations.
		if ('error' in json || isDry(drawn, execution.items[index])) return [];
		const tag = tagOf(execution, index);
		const { callId, placement }: IDataObject = json;
		const call = service.rings.find(({ id }) => id === callId);
		if (!call) return [`no such call: ${tag}`];
		if (placement === 'skippedDuplicate') {
			const equal = count(tagsOf(execution), tag);
			if (drawn.guardMinutes === 0 && call.tag !== tag)
				return [`skipped for the call of ${call.tag}: ${tag}`];
			return rings.filter((ring) => ring.tag === tag).length > equal - 1 && call.tag !== tag
				? [`skipped, but called: ${tag}`]
				: [];
		}
		return call.tag === tag ? [] : [`${String(placement)} with the call of ${call.tag}: ${tag}`];
	});
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
