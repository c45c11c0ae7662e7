import fc from 'fast-check';
import { operations } from './execution.mts';
import type { DialFault, ListFault } from './service.mts';

const dialFaults: DialFault[] = [
	...(['none', 'none', 'none', 'none', 'reset before', 'reset after', 'no answer before'] as const),
	...([
		'no answer after',
		'late',
		'500 before',
		'500 after',
		'503 after',
		'web page after',
	] as const),
	...(['cut off', 'no call named', 'refused', 'call null', '401', '422', '429'] as const),
	...(['unreachable', 'crash before', 'crash after'] as const),
];

const phones = ['(312) 555-0101', '312-555-0102 x7', '+52 55 1234 5678', '911'];

/** Others than the usual value in every tenth case. */
const rarely = <Value,>(usual: Value, ...others: Value[]) =>
	fc.oneof(
		{ weight: 9, arbitrary: fc.constant(usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...others) },
	);

/** Items, settings and faults of one case, and what happens to its execution. */
export const cases = fc.record({
	operation: fc.constantFrom(...operations),
	items: fc.array(
		fc.record({
			phone: fc.constantFrom(...phones.slice(0, 3), ...phones),
			load: fc.constantFrom('L1', 'L2'),
		}),
		{ minLength: 1, maxLength: 5 },
	),
	continueOnFail: fc.boolean(),
	tries: fc.integer({ min: 1, max: 3 }),
	parallel: fc.integer({ min: 1, max: 3 }),
	guardMinutes: fc.constantFrom(0, 0, 10),
	lookForSeconds: fc.constantFrom(0, 5, 30),
	dialFaults: fc.array(fc.constantFrom(...dialFaults), { maxLength: 12 }),
	listFaults: fc.array(fc.constantFrom<ListFault[]>('none', 'none', '500', 'reset', 'empty'), {
		maxLength: 6,
	}),
	listDelayMs: fc.constantFrom(0, 0, 2000, 40_000),
	skewMs: fc.integer({ min: -4000, max: 4000 }),
	namesLoads: fc.boolean(),
	/** What happens to the execution after it ended or crashed. */
	afterwards: fc.array(
		fc.constantFrom('again', 'with a new row', 'next turn', 'new', 'other node'),
		{ maxLength: 4 },
	),
	/** Who requests the same calls at the same time. */
	rival: fc.constantFrom('nobody', 'execution', 'node', 'worker'),
	/** Whether a node places the calls, two nodes of an execution, or an AI agent, one by one. */
	who: fc.constantFrom('node', 'node', 'two nodes', 'agent'),
	/** How the list writes numbers, times and loads. */
	writes: fc.constantFrom('as the contract', 'in other ways'),
	/** Whether what happens afterwards happens on the other worker, or on one and the other in turn. */
	moves: fc.constantFrom('never', 'once', 'to and fro'),
	/** Whether the second of two nodes runs on the other worker, as after a Wait node. */
	splits: fc.boolean(),
	/** The longest time the database takes for a read or a write. */
	databaseMs: fc.constantFrom(0, 5, 20),
	/** Called instead of everyone; it may also be someone's own number. */
	testNumber: fc.constantFrom(...[undefined, undefined, undefined], '(312) 555-0199', phones[0]),
	maxCallsPerHour: rarely<number | undefined>(undefined, 1, 3),
	maxCallsPerDay: rarely<number | undefined>(undefined, 2, 4),
	maxCallsPerNumber: rarely<number | undefined>(undefined, 1, 2, 3),
	/** The loads whose items are a dry run. */
	dryLoads: rarely<string[]>([], ['L2'], ['L1', 'L2']),
	addReference: fc.boolean(),
});

/** A random case. */
export type Case = typeof cases extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** The guard trusts the list, which may be late or fail, but is not wrong about old calls. */
export function honest(given: Case): Case {
	// Two nodes that race on two workers see each other in the list alone, and too late.
	const isRace = given.who === 'two nodes' && given.rival === 'worker';
	const drawn = { ...given, ...(isRace && { rival: 'execution' as const }) };
	const listFaults = drawn.listFaults.map((fault) => (fault === 'empty' ? '500' : fault));
	const otherNode = drawn.rival === 'node' || drawn.afterwards.includes('other node');
	const twoNodes = otherNode || drawn.who === 'two nodes';
	// A retry on another worker doesn't know which request of the first one got the listed call.
	const isRetriedApart = drawn.rival === 'execution' && drawn.moves !== 'never';
	const mayBeMistaken =
		isRetriedApart ||
		(isApart(drawn) &&
			(twoNodes
				? isFollowed(drawn) || drawn.splits
				: isFollowed(drawn) && drawn.dialFaults.some(isCrash)));
	return {
		...drawn,
		...(drawn.guardMinutes > 0 && { listFaults }),
		// Nodes of two executions on two workers can't see each other's calls (docs/contributing/delivery-guarantees.md).
		...(otherNode && { moves: 'never' as const, splits: false }),
		...(drawn.splits && drawn.rival !== 'nobody' && { splits: false }),
		// After a crash, and for another execution's call on the other worker, another node can rely
		// only on the list.
		...(twoNodes &&
			(drawn.rival === 'worker' || drawn.dialFaults.some(isCrash) || isApart(drawn)) && {
				...{ namesLoads: true, listDelayMs: 0 },
			}),
		...((drawn.rival === 'worker' || mayBeMistaken) && {
			dialFaults: drawn.dialFaults.map(answered),
		}),
		// A crashing process takes all its executions with it.
		...(drawn.dialFaults.some(isCrash) && drawn.rival !== 'worker' && { rival: 'nobody' }),
	};
}

const isFollowed = ({ afterwards }: Case) => afterwards.includes('new');

/** Whether starts that share no data run on two workers. */
function isApart(drawn: Case): boolean {
	const isAnother = isFollowed(drawn) || drawn.dialFaults.some(isCrash);
	return (isAnother || drawn.rival === 'execution') && (drawn.moves !== 'never' || drawn.splits);
}

const isCrash = (fault: DialFault) => fault.startsWith('crash');

/**
 * If two workers call one number at the same moment or within minutes, from two nodes, or one of them
 * crashes before it has its call's ID, neither can tell whose a lost call is unless the list says so
 * (docs/contributing/delivery-guarantees.md, "Known limits"). In these cases, all calls get a response.
 */
function answered(fault: DialFault): DialFault {
	return /before|after|late|cut|no call|again/.test(fault) && !isCrash(fault) ? 'refused' : fault;
}
