import type { IDataObject } from 'n8n-workflow';
import type { Case } from './cases.mts';
import type { Item } from './execution.mts';
import type { CallService } from './service.mts';
import type { FinishedRun } from './violations.mts';

/** Safety of an item, without the rules that are off. */
export function rulesOf(drawn: Case): IDataObject {
	const { maxCallsPerHour, maxCallsPerDay, maxCallsPerNumber } = drawn;
	return {
		...(maxCallsPerHour !== undefined && { maxCallsPerHour }),
		...(maxCallsPerDay !== undefined && { maxCallsPerDay }),
		...(maxCallsPerNumber !== undefined && { maxCallsPerNumber }),
		// A tool needs a limit.
		...(drawn.who === 'agent' && maxCallsPerHour === undefined && { maxCallsPerHour: 2000 }),
	};
}

/** Its mode. A test number that isn't dialed is not given. */
export function modeOf(drawn: Case, item: Item): IDataObject {
	if (isDry(drawn, item)) return { callMode: 'dryRun' };
	const { testNumber } = drawn;
	return testNumber === undefined ? { callMode: 'live' } : { callMode: 'testNumber', testNumber };
}

export const isDry = ({ dryLoads }: Case, item: Item | undefined) =>
	item !== undefined && dryLoads.includes(item.load);

/** Whether the message says that a cap kept the call from being placed. */
export const isCapped = (message: string) => message.includes('has reached its limit of');

export const isTooOften = (message: string) => message.includes('This number was called ');

/** Which rules were broken, in words; empty if none was. */
export function ruleViolations(drawn: Case, runs: FinishedRun[], service: CallService): string[] {
	return [
		...overCaps(drawn, service),
		...calledTooOften(drawn, service),
		...needlessRefusals(drawn, runs, service),
		...runs.flatMap((run) => [...wrongPeople(drawn, run), ...wrongDryRuns(drawn, run)]),
		...runs.flatMap(({ execution, rings }) =>
			rings
				.filter(({ tag }) => tag.startsWith(`${execution.token}/`))
				.filter(({ tag }) => drawn.dryLoads.some((load) => tag.endsWith(`/${load}`)))
				.map(({ tag }) => `called in a dry run: ${tag}`),
		),
	];
}

/** Each node has its own caps. */
const nodeOf = (tag: string) => tag.split('/')[2];

/** No case takes an hour, so both caps limit all calls of a node. */
function capOf({ maxCallsPerHour, maxCallsPerDay }: Case): number {
	return Math.min(maxCallsPerHour ?? Infinity, maxCallsPerDay ?? Infinity);
}

/** Each worker counts its own calls, and starts over after a crash. */
const isOneProcess = (drawn: Case) =>
	drawn.moves === 'never' &&
	!drawn.splits &&
	drawn.rival !== 'worker' &&
	!drawn.dialFaults.some((fault) => fault.startsWith('crash'));

/** What one process placed counts although the list is late, and what all placed if it never is. */
function calledTooOften(drawn: Case, { rings }: CallService): string[] {
	const { maxCallsPerNumber: most, listDelayMs, listFaults, rival } = drawn;
	const showsAll = listDelayMs === 0 && !listFaults.includes('empty') && rival !== 'worker';
	// A request that a process forgot may be placed after its last look at the list.
	const isLate = drawn.dialFaults.includes('late');
	if (most === undefined || !(isOneProcess(drawn) || (showsAll && !isLate))) return [];
	const numbers = rings.map(({ toPhone }) => toPhone);
	return [...new Set(numbers)]
		.filter((number) => numbers.filter((each) => each === number).length > most)
		.map((number) => `called more than ${most} times: ${number}`);
}

function overCaps(drawn: Case, { rings }: CallService): string[] {
	if (!isOneProcess(drawn)) return [];
	const nodes = rings.map(({ tag }) => nodeOf(tag));
	return [...new Set(nodes)]
		.filter((node) => nodes.filter((each) => each === node).length > capOf(drawn))
		.map((node) => `over the cap of ${capOf(drawn)}: ${node}`);
}

/** Without faults, rivals and dry runs, only calls that were placed count for the caps. */
function needlessRefusals(drawn: Case, runs: FinishedRun[], { rings }: CallService): string[] {
	const { rival, dialFaults, dryLoads } = drawn;
	const isQuiet = rival === 'nobody' && dialFaults.every((fault) => fault === 'none');
	// A dry run counts its own items.
	if (!isQuiet || dryLoads.length > 0) return [];
	return runs.flatMap(({ end, execution: { node } }) => {
		const texts =
			end === 'crashed'
				? []
				: 'error' in end
					? [end.error.message]
					: end.output.map(({ json }) => String(json.error));
		const placed = rings.filter(({ tag }) => nodeOf(tag) === node).length;
		return texts.some(isCapped) && placed < capOf(drawn)
			? [`refused after ${placed} of ${capOf(drawn)} calls: ${node}`]
			: [];
	});
}

const NUMBERS: Record<string, string> = {
	'(312) 555-0101': '+13125550101',
	'312-555-0102 x7': '+13125550102;ext=7',
	'+52 55 1234 5678': '+525512345678',
};

/** Items say whom the test number was called for. */
function wrongPeople(drawn: Case, { end, execution }: FinishedRun): string[] {
	if (end === 'crashed' || 'error' in end) return [];
	return end.output.flatMap(({ json }, index) => {
		const { phone = '' } = execution.items[index] ?? {};
		const meant = drawn.testNumber === undefined ? undefined : NUMBERS[phone];
		if ('error' in json || json.testCallFor === meant) return [];
		return [`for ${String(json.testCallFor)} instead of ${String(meant)}`];
	});
}

function wrongDryRuns(drawn: Case, { end, execution }: FinishedRun): string[] {
	if (end === 'crashed' || 'error' in end) return [];
	return end.output.flatMap(({ json }, index) => {
		if ('error' in json || json.placement === 'skippedDuplicate') return [];
		const shown = json.placement === 'dryRun' && json.callId === undefined;
		return shown === isDry(drawn, execution.items[index]) ? [] : [`wrong dry run: item ${index}`];
	});
}
