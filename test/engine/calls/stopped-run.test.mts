import { drivers, statusFault } from '../support/calls/dispatch.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';

// Anyone who restarts a stopped run must learn from the error who was already called.

const dispatch = useDispatch();

const parallel = (callsInParallel: number) => ({
	options: { callsInParallel, lookForLostAnswers: 0 },
});
const placedIds = () => dispatch.sandbox.ledger.dialed().map(({ callId }) => callId);

describe('the error that stops the node', () => {
	it('names all four calls that were lost in parallel', async () => {
		const items = drivers(4);
		dispatch.fail(...items.map(() => ({ kind: 'reset', when: 'before' }) as const));
		const { error } = await dispatch.run(parallel(4), { items });
		expect(error?.message).toMatch(/^The phone may have rung\. /);
		for (const [index, { phone, load }] of items.entries()) {
			expect(error?.description).toContain(
				`row ${index + 1}, check call to ${phone} (load ${load})`,
			);
		}
	});

	it('lists the IDs of three placed calls when the fourth is rejected, and what was not tried', async () => {
		const items = drivers(6);
		dispatch.sandbox.faults.add({
			...{ endpoint: 'triggerCheckCall', skip: 3 },
			fault: statusFault(422, { message: 'Unknown load' }),
		});
		const { error } = await dispatch.run({}, { items });
		expect(error?.message).toMatch(
			/^The call was placed\. 3 calls were placed before this failed: /,
		);
		expect(error?.description).toContain('Unknown load');
		expect(error?.description).toContain(
			`Placed before the node stopped: 3 (call IDs ${placedIds().join(', ')}).`,
		);
		expect(error?.description).toContain('Not tried: rows 5 and 6.');
		expect(placedIds()).toHaveLength(3);
	});

	it('accounts for every item when some are placed, one is lost and others are still to come', async () => {
		// So many that some are left even if the lost one is looked for on a busy machine.
		const items = drivers(60);
		dispatch.sandbox.faults.add({
			...{ endpoint: 'triggerCheckCall', skip: 4 },
			fault: { kind: 'reset', when: 'before' },
		});
		const { error } = await dispatch.run(parallel(3), { items });
		const text = error?.description ?? '';
		for (const id of placedIds().slice(0, 7)) expect(text).toContain(String(id));
		const dialed = dispatch.dialed();
		const lost = items.findIndex(({ phone }) => text.includes(`check call to ${phone}`));
		expect(text).toContain(`May or may not have been placed: row ${lost + 1}, `);
		const open = [...items.keys()].filter(
			(index) => index !== lost && !dialed.includes(items[index]?.e164 ?? ''),
		);
		expect(open.length).toBeGreaterThan(0);
		expect(text).toContain(
			`Not tried: rows ${(open.at(0) ?? 0) + 1} to ${(open.at(-1) ?? 0) + 1}.`,
		);
	});

	it('says nothing about other calls when none was dialed', async () => {
		dispatch.fail(statusFault(422));
		const { error } = await dispatch.run({}, { items: drivers(3) });
		expect(error?.message).toMatch(/^No phone rang\. /);
		expect(error?.description).not.toContain('Placed before');
	});

	it('gives no advice about other calls when the only one is lost', async () => {
		dispatch.fail({ kind: 'reset', when: 'before' });
		const { error } = await dispatch.run(parallel(1), { items: drivers(1) });
		expect(error?.message).toMatch(/^The phone may have rung\. /);
		expect(error?.description).toContain('run this item in a new execution');
		expect(error?.description).not.toMatch(/place only what is missing|all of them/);
	});

	it('also names the calls of the first try when Retry On Fail gives up', async () => {
		dispatch.sandbox.faults.add({
			...{ endpoint: 'triggerCheckCall', skip: 2, times: 'always' },
			fault: statusFault(422),
		});
		const { error } = await dispatch.run(
			{},
			{ items: drivers(3), node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
		);
		expect(error?.description).toContain(`(call IDs ${placedIds().join(', ')})`);
		expect(placedIds()).toHaveLength(2);
	});
});
