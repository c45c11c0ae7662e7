import type { KnownCall } from '../../../nodes/CarrierLoadCommunications/calls/call.ts';
import { processCalls, remember } from '../../../nodes/CarrierLoadCommunications/calls/memory.ts';

const call = (nth: number): KnownCall => ({
	...{ key: `key ${nth}`, phoneKey: `+1312555${nth}`, extension: undefined },
	...{ account: 'a', load: '48213', duplicateKey: `load ${nth}`, from: 0, until: 0, run: 'r' },
	...{ dotNumber: undefined, nextStopIndex: 0, execution: '1', what: 'check call', itemIndex: 0 },
});

it('a process remembers 10,000 calls, and forgets the oldest first', () => {
	for (let nth = 1; nth <= 10_050; nth++) remember(call(nth));
	expect(processCalls.size).toBe(10_000);
	expect(processCalls.has('key 50')).toBe(false);
	expect(processCalls.has('key 51')).toBe(true);
});
