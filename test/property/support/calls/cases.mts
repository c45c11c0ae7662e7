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

/** Items, settings and faults of one case, and what becomes of its execution. */
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
	/** What happens to the execution after it has ended or crashed. */
	afterwards: fc.array(
		fc.constantFrom('again', 'with a new row', 'oldest again', 'next turn', 'new', 'other node'),
		{ maxLength: 4 },
	),
	/** Who asks for the same calls at the same time. */
	rival: fc.constantFrom('nobody', 'execution', 'node', 'worker'),
	/** Whether what happens afterwards happens on another worker. */
	moves: fc.boolean(),
	/** How long the database takes for a reading or a writing at most. */
	databaseMs: fc.constantFrom(0, 5, 20),
});

/** One that was drawn. */
export type Case = typeof cases extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** The guard believes the list, which may be late or fail, but does not lie about old calls. */
export function honest(drawn: Case): Case {
	const listFaults = drawn.listFaults.map((fault) => (fault === 'empty' ? '500' : fault));
	const twoNodes = drawn.rival === 'node' || drawn.afterwards.includes('other node');
	return {
		...drawn,
		...(drawn.guardMinutes > 0 && { listFaults }),
		// Two nodes on two workers don't know of each other's calls (docs/placing-calls.md).
		...(twoNodes && { moves: false }),
		// After a crash, and of another worker's call, another node knows by the list alone.
		...(twoNodes &&
			(drawn.rival === 'worker' || drawn.dialFaults.some(isCrash)) && {
				...{ namesLoads: true, listDelayMs: 0 },
			}),
		...(drawn.rival === 'worker' && { dialFaults: drawn.dialFaults.map(answered) }),
		// A process that crashes takes along all executions in it.
		...(drawn.dialFaults.some(isCrash) && drawn.rival !== 'worker' && { rival: 'nobody' }),
	};
}

const isCrash = (fault: DialFault) => fault.startsWith('crash');

/**
 * Two workers that call one number at the same moment can't tell whose a lost call is when the list
 * doesn't say (docs/placing-calls.md, "What is left"): there, all calls are answered.
 */
function answered(fault: DialFault): DialFault {
	return /before|after|late|cut|no call|again/.test(fault) && !isCrash(fault) ? 'refused' : fault;
}
