import type { INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../../sandbox/index.mts';
import { drivers } from '../support/calls/dispatch.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

const withoutId = { status: 'IN_PROGRESS', createdAt: '2026-01-05T15:00:00.000Z' };
const call = { id: 90_001, ...withoutId };

const odd: Array<[string, object, object]> = [
	['an empty call', { success: true, call: {} }, { status: 'success', call: {} }],
	['no ID', { success: true, call: withoutId }, { status: 'success', call: withoutId }],
	...[null, '', ' ', 0, -1, 1.5, '0', 'null', '--', {}, false].map(
		(id): [string, object, object] => [
			`the ID ${JSON.stringify(id)}`,
			{ success: true, call: { ...call, id } },
			{ status: 'success', call: { ...call, id } },
		],
	),
	...['FAILED', 'failed', 'Error', 'CALL_REJECTED', 'DECLINED', 'BLOCKED', 'NOT_INITIATED'].map(
		(status): [string, object, object] => [
			`the call's status ${status}`,
			{ success: true, call: { ...call, status } },
			{ status: 'success', call: { ...call, status } },
		],
	),
	['success as text', { success: 'false', call }, { status: 'false', call }],
	['success 0', { success: 0, call }, { status: 0, call }],
	['success false', { success: false, call }, { status: 'failed', call }],
	['a list as its call', { success: true, call: [call] }, { status: 'success', call: [call] }],
];

const kinds: Array<[string, INodeParameters, 1 | 2]> = [
	['check call', { operation: 'triggerCheckCall' }, 1],
	['carrier sales call', { operation: 'triggerCarrierSalesCall', loadId: 'L0', dotNumber: 7 }, 1],
	['agent call', { operation: 'createAgentCall', agentId: 'tracking' }, 2],
];

describe.each(kinds)('a %s', (_kind, parameters, answer) => {
	const settings = { ...parameters, options: { lookForLostAnswers: 0 } };
	const node = { onError: 'continueRegularOutput' } as const;
	const items = drivers(odd.length);
	const cases = odd.map(([name]) => name);

	it('is not reported as placed for any response that does not show its call', async () => {
		dispatch.fail(...odd.map((one): Fault => ({ kind: 'body', body: one[answer] })));
		const { items: output } = await dispatch.run(settings, { items, node });
		expect(output.map(({ error }, index) => [cases[index], error])).toEqual(
			cases.map((name) => [
				name,
				expect.stringMatching(/^The phone may have rung\. .* may or may not have been placed/),
			]),
		);
		expect(dispatch.sandbox.ledger.dialed()).toEqual([]);
	});

	it('is found in the call list if it was placed anyway', async () => {
		dispatch.fail(
			...odd.map((one): Fault => ({ kind: 'body', body: one[answer], afterPlacing: true })),
		);
		const { items: output } = await dispatch.run(settings, { items: drivers(odd.length), node });
		const dialed = dispatch.sandbox.ledger.dialed();
		expect(output.map(({ placement, callId }, index) => [cases[index], placement, callId])).toEqual(
			cases.map((name, index) => [name, 'reconciled', dialed[index]?.callId]),
		);
	});
});
