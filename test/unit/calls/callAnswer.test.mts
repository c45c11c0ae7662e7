import { readTriggerAnswer } from '../../../nodes/CarrierLoadCommunications/calls/callAnswer.ts';
import { readAgentAnswer } from '../../../nodes/CarrierLoadCommunications/resources/call/placeAgentCall.ts';

const call = { id: 7, toPhone: '+13125550188' };

describe('a response to a check call or carrier sales call', () => {
	it('with a call means that it was placed', () => {
		expect(readTriggerAnswer({ success: true, call })).toEqual({ placed: call });
		expect(readTriggerAnswer({ call })).toEqual({ placed: call });
	});

	it('whose call is null means that none was placed, with success true, false or absent', () => {
		expect(readTriggerAnswer({ success: true, call: null })).toEqual({ refused: undefined });
		expect(readTriggerAnswer({ success: false, call: null }, 'No')).toEqual({ refused: 'No' });
		expect(readTriggerAnswer({ success: false }, 'No')).toEqual({ refused: 'No' });
	});

	it.each([
		{ success: true },
		{},
		{ success: false, call },
		{ success: true, call: [] },
		{ success: true, call: 'yes' },
	])('that the contract does not describe is unclear: %j', (answer) => {
		expect(readTriggerAnswer(answer as never)).toEqual({ unclear: expect.any(String) });
	});
});

describe('a response to an agent call', () => {
	it('with the status success and a call means that it was placed', () => {
		expect(readAgentAnswer({ status: 'success', call })).toEqual({ placed: call });
	});

	it('whose call is null means that none was placed', () => {
		expect(readAgentAnswer({ status: 'paused', call: null })).toEqual({
			refused: 'the status "paused"',
		});
	});

	it.each([{ status: 'paused', call }, { status: 'success' }, { call }, { status: 5, call }])(
		'with another status is unclear: %j',
		(answer) => {
			expect(readAgentAnswer(answer as never)).toEqual({ unclear: expect.any(String) });
		},
	);
});
