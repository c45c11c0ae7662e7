import fc from 'fast-check';
import { operations } from './calls-execution.mts';
import type { DialFault, ListFault } from './calls-service.mts';

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
	operation: fc.constantFrom(...(Object.keys(operations) as Array<keyof typeof operations>)),
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
	afterwards: fc.array(fc.constantFrom('again', 'again', 'oldest again', 'next turn', 'new'), {
		maxLength: 4,
	}),
	race: fc.boolean(),
});

/** One that was drawn. */
export type Case = typeof cases extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** The guard believes the list, which may be late or fail, but does not lie about old calls. */
export function honest(drawn: Case): Case {
	if (drawn.guardMinutes === 0) return drawn;
	return {
		...drawn,
		listFaults: drawn.listFaults.map((fault) => (fault === 'empty' ? '500' : fault)),
	};
}
