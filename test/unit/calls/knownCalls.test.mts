import {
	type CallState,
	type KnownCall,
	processCalls,
} from '../../../nodes/CarrierLoadCommunications/calls/memory/knownCalls.ts';

const call = (nth: number, state: CallState = 'done'): KnownCall => ({
	...{ key: `key ${nth}`, state, line: `+1312555${nth}`, account: 'a', load: '48213' },
	...{ target: `target ${nth}`, from: 0, until: 0, run: 'r', execution: '1' },
	...{ what: 'check call', itemIndex: 0 },
});

describe('the calls that a process remembers', () => {
	it('are 10,000; the oldest are forgotten first, but none that is about to be dialed', () => {
		processCalls.set(call(0, 'noted'));
		for (let nth = 1; nth <= 10_050; nth++) processCalls.set(call(nth));
		expect(processCalls.all()).toHaveLength(10_000);
		expect(processCalls.get('key 0')).toMatchObject({ state: 'noted' });
		expect(processCalls.get('key 51')).toBeUndefined();
		expect(processCalls.onLine('+131255551')).toEqual([]);
		expect(processCalls.get('key 52')).toBeDefined();
		expect(processCalls.onLine('+13125550')).toHaveLength(1);
	});

	it('are gone under their key and their line when they are taken back', () => {
		processCalls.set(call(70_000, 'noted'));
		processCalls.delete('key 70000');
		expect(processCalls.get('key 70000')).toBeUndefined();
		expect(processCalls.onLine('+131255570000')).toEqual([]);
	});
});
