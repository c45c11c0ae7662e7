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
	...['+17135550100', '+13125550199;ext=7', '713-555-0100'].map(
		(toPhone): [string, object, object] => [
			`a call to another number, ${toPhone}`,
			{ success: true, call: { ...call, toPhone } },
			{ status: 'success', call: { ...call, toPhone } },
		],
	),
	['a list as its call', { success: true, call: [call] }, { status: 'success', call: [call] }],
];

let nextId = 91_000;

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

	it('is not reported as placed if the response has an earlier call, of a service whose clock is wrong', async () => {
		const [status, updatedAt] = ['COMPLETED', '2026-01-05T15:01:30.000Z'];
		const body = (more: object) => {
			return { success: true, status: 'success', call: { ...call, ...more, id: nextId++ } };
		};
		const bodies = [{ status, updatedAt }, { updatedAt }, { status, updatedAt: call.createdAt }];
		dispatch.fail(...bodies.map((more): Fault => ({ kind: 'body', body: body(more) })));
		const [earlier, ...fresh] = (await dispatch.run(settings, { items: drivers(3), node })).items;
		expect(earlier?.error).toMatch(/^The phone may have rung\. .* may or may not have been placed/);
		expect(earlier?.message).toMatch('which was placed earlier, at 2026-01-05T15:00:00.000Z');
		expect(fresh).toMatchObject(Array(2).fill({ placement: 'placed' }));
	});

	it('is not reported as placed if the response has the call of another request', async () => {
		const id = nextId++;
		const body = { success: true, status: 'success', call: { ...call, id } };
		dispatch.fail({ kind: 'body', body }, { kind: 'body', body });
		const [first, second] = (await dispatch.run(settings, { items: drivers(2), node })).items;
		expect(first).toMatchObject({ placement: 'placed', callId: id });
		expect(second?.error).toMatch(/^The phone may have rung\. .* may or may not have been placed/);
		expect(second?.message).toMatch(`returned call ${id}, which belongs to another request`);
	});

	it('is found in the call list if the response has the call of another request', async () => {
		const id = nextId++;
		const body = { success: true, status: 'success', call: { ...call, id } };
		dispatch.fail({ kind: 'body', body }, { kind: 'body', body, afterPlacing: true });
		const [, second] = (await dispatch.run(settings, { items: drivers(2), node })).items;
		const [dialed] = dispatch.sandbox.ledger.dialed();
		expect(second).toMatchObject({ placement: 'reconciled', callId: dialed?.callId });
	});

	it.each([
		['without its country code', (e164: string) => e164.slice(2)],
		['with a hidden end', (e164: string) => `${e164.slice(0, 8)}****`],
		['with an extension in its own way', (e164: string) => `${e164},,204`],
		['as a SIP address', (e164: string) => `sip:${e164}@10.0.0.1:5060`],
	])('is placed if the response has the number %s', async (_case, written) => {
		const [called] = drivers(1);
		const answered = { ...call, id: nextId++, toPhone: written(String(called?.e164)) };
		const body = { success: true, status: 'success', call: answered };
		dispatch.fail({ kind: 'body', body });
		const { items: output } = await dispatch.run(settings, { items: [{ ...called }], node });
		expect(output).toMatchObject([{ placement: 'placed', callId: answered.id }]);
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
