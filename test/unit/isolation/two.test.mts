import { foundTraces, leaveTraces } from '../support/traces.mts';

it('finds nothing that another test file has left', () => {
	expect(foundTraces()).toEqual([]);
	leaveTraces();
	expect(foundTraces()).toHaveLength(11);
});
