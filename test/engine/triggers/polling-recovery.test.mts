import { openPolls } from '../support/triggers/polled-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openSandbox, trigger } = openPolls();

describe('a poll that fails', () => {
	it('says why, and misses nothing', async () => {
		const sandbox = await openSandbox();
		const calls = trigger({ event: 'newCall' });
		await calls.poll();
		setClock(start + MINUTE);
		const [id] = sandbox.insert({});
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'status', status: 501 } });
		const { error, items } = await calls.poll();
		expect(items).toBeUndefined();
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '501' });
		expect(await calls.ids()).toEqual([id]);
	});
});

describe('an outage', () => {
	it('is caught up with in order, in bounded chunks', async () => {
		const sandbox = await openSandbox({ calls: 0 });
		const calls = trigger({ event: 'newCall', options: { catchUpHours: 48 } });
		await calls.poll();
		const inserted: number[] = [];
		for (let hour = 1; hour <= 30; hour++) {
			inserted.push(...sandbox.insert({ count: 200, createdAt: iso(start + hour * HOUR) }));
		}
		setClock(start + 31 * HOUR);
		const seen: unknown[] = [];
		for (let nth = 0; nth < 12 && seen.length < inserted.length; nth++) {
			const chunk = await calls.ids();
			expect(chunk.length).toBeGreaterThan(0);
			expect(chunk.length).toBeLessThanOrEqual(2500);
			seen.push(...chunk);
			setClock(clock.now + MINUTE);
		}
		expect(seen).toEqual(inserted);
	});

	it('is caught up with even if all records are from one second', async () => {
		const sandbox = await openSandbox({ calls: 0 });
		const calls = trigger({ event: 'newCall' });
		await calls.poll();
		setClock(start + MINUTE);
		const inserted = sandbox.insert({ count: 900 });
		setClock(start + 5 * HOUR);
		const seen = [...(await calls.ids()), ...(await calls.ids()), ...(await calls.ids())];
		expect(seen).toEqual(inserted);
	});
});
