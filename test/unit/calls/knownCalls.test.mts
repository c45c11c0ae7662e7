import fc from 'fast-check';
import type { KnownCall } from '../../../nodes/CarrierLoadCommunications/calls/call.ts';
import {
	isOfOtherRequest,
	isOwnNumber,
	otherCalls,
	processCalls,
} from '../../../nodes/CarrierLoadCommunications/calls/memory.ts';

const call = (nth: number): KnownCall => ({
	...{ key: `key ${nth}`, phoneKey: `+1312555${nth}`, extension: undefined },
	...{ account: 'a', load: '48213', duplicateKey: `load ${nth}`, from: 0, until: 0, run: 'r' },
	...{ dotNumber: undefined, nextStopIndex: 0, execution: '1', what: 'check call', itemIndex: 0 },
});

afterEach(() => {
	processCalls.clear();
});

it('a process remembers 10,000 calls, and forgets the oldest first', () => {
	for (let nth = 1; nth <= 10_050; nth++) processCalls.set(`key ${nth}`, call(nth));
	expect(processCalls.size).toBe(10_000);
	expect(processCalls.has('key 50')).toBe(false);
	expect(processCalls.has('key 51')).toBe(true);
});

const few = <Value,>(...values: Value[]) => fc.constantFrom(...values);
const changes = fc.array(
	fc.record({
		nth: fc.nat(6),
		isForgotten: few(false, false, true),
		phoneKey: few('+13125550188', '+13125550199'),
		account: few('one', 'other'),
		row: fc.option(
			fc.record({
				callId: few<string | number | null>(7, ' 7 ', 8, null),
				fromPhone: few(
					'+13125550100',
					'(312) 555-0100',
					'+13125550188',
					'sip:+13125550188@trunk',
					null,
				),
				placement: few('placed', 'skippedDuplicate'),
			}),
			{ nil: undefined },
		),
	}),
	{ maxLength: 30 },
);

it('what is asked about remembered calls is answered as if all of them were searched', () => {
	const seen = { others: 0, foreign: 0, own: 0 };
	fc.assert(
		fc.property(changes, (steps) => {
			processCalls.clear();
			for (const { nth, isForgotten, row, ...changed } of steps) {
				const { key } = call(nth);
				if (isForgotten) processCalls.delete(key);
				else processCalls.set(key, { ...call(nth), ...changed, ...(row && { row }) });
			}
			const all = [...processCalls.values()].filter(
				({ row }) => row?.['placement'] !== 'skippedDuplicate',
			);
			for (const account of ['one', 'other']) {
				const identity = { ...call(0), account, phoneKey: '+13125550188' };
				const asked: Parameters<typeof isOwnNumber>[0] = {
					...{ kind: 'checkCall', subject: {}, toPhone: '+13125550188', identity },
					...{ skipWithinMs: undefined, body: {}, readAnswer: () => ({ refused: undefined }) },
				};
				const others = all.filter((each) => each.key !== identity.key);
				const toNumber = others.filter(({ phoneKey }) => phoneKey === identity.phoneKey);
				expect(otherCalls(asked)).toEqual(toNumber);
				const foreign = others.some(
					(each) => each.account === account && String(each.row?.['callId']).trim() === '7',
				);
				expect(isOfOtherRequest(identity, '7')).toBe(foreign);
				expect(isOfOtherRequest(identity, undefined)).toBe(false);
				const own = all.some(
					({ account: its, row }) =>
						its === account && String(row?.['fromPhone']).includes('+13125550188'),
				);
				expect(isOwnNumber(asked)).toBe(own);
				seen.others += toNumber.length;
				seen.foreign += Number(foreign);
				seen.own += Number(own);
			}
		}),
		{ numRuns: 1000, seed: 48213 },
	);
	// Without such answers, this test would prove nothing.
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
});

it('a call whose row another node changed is known by nothing that it was known by before', () => {
	const row = { callId: 7, fromPhone: '+13125550100' };
	processCalls.set('key 1', { ...call(1), row });
	row.callId = 8;
	processCalls.set('key 1', { ...call(1), row: { ...row, callId: 9 } });
	expect(isOfOtherRequest(call(2), '7')).toBe(false);
	expect(isOfOtherRequest(call(2), '9')).toBe(true);
});
