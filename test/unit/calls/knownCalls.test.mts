import type { KnownCall } from '../../../nodes/CarrierLoadCommunications/calls/call.ts';
import { processCalls } from '../../../nodes/CarrierLoadCommunications/calls/memory.ts';

const call = (nth: number): KnownCall => ({
	...{ key: `key ${nth}`, state: 'done', phoneKey: `+1312555${nth}`, extension: undefined },
	...{ account: 'a', load: '48213', duplicateKey: `load ${nth}`, from: 0, until: 0, run: 'r' },
	...{ dotNumber: undefined, nextStopIndex: 0, execution: '1', what: 'check call', itemIndex: 0 },
});

describe('the calls that a process remembers', () => {
	it('are 10,000, and the oldest are forgotten first', () => {
		for (let nth = 1; nth <= 10_050; nth++) processCalls.set(call(nth));
		expect(processCalls.all()).toHaveLength(10_000);
		expect(processCalls.get('key 50')).toBeUndefined();
		expect(processCalls.to('+131255550')).toEqual([]);
		expect(processCalls.get('key 51')).toBeDefined();
		expect(processCalls.to('+131255551')).toHaveLength(1);
	});

	it('are gone under their key and their number when they are taken back', () => {
		processCalls.set(call(70_000));
		processCalls.delete('key 70000');
		expect(processCalls.get('key 70000')).toBeUndefined();
		expect(processCalls.to('+131255570000')).toEqual([]);
	});
});
