import { waitUntil } from '../../support/wait-until.mts';
import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, MINUTE, setClock } from '../support/triggers/simulated-clock.mts';

const { openSandbox, publish } = openPublishing();

describe.each([
	['static data', false],
	['durable cursors', true],
])('with %s, polls that overlap', (_, durable) => {
	it('return each of 1,200 calls once when the list is slow', async () => {
		const sandbox = await openSandbox();
		const { poller, ids } = await publish({ event: 'newCall' }, { durable });
		setClock(clock.now + MINUTE);
		const inserted = sandbox.insert({ count: 1200 });
		const requests = () => sandbox.ledger.requests('listCalls').length;
		const slow = { kind: 'latency', ms: 50 } as const;
		sandbox.faults.add({ endpoint: 'listCalls', fault: slow, times: 'always' });
		for (let round = 1; round <= 3; round++) {
			setClock(clock.now + MINUTE);
			const asked = requests();
			const first = poller.poll();
			await waitUntil('its first request', () => requests() > asked);
			await Promise.all([first, poller.poll(), poller.poll()]);
		}
		expect(poller.failures).toEqual([]);
		expect(ids().length).toBe(inserted.length);
		expect(ids()).toEqual(inserted);
	});

	it('need one poll and four requests for 1,200 calls of one second, so a slow list does not matter', async () => {
		const sandbox = await openSandbox();
		const { poller, ids } = await publish({ event: 'newCall' }, { durable });
		setClock(clock.now + MINUTE);
		const inserted = sandbox.insert({ count: 1200 });
		setClock(clock.now + MINUTE);
		const asked = () => sandbox.ledger.requests('listCalls').length;
		const before = asked();
		await poller.poll();
		expect(ids()).toEqual(inserted);
		expect(asked() - before).toBeLessThanOrEqual(4);
	});
});
