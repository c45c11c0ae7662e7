import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';
import { waitUntil } from '../../support/wait-until.mts';

const { openService, publish } = openPublishing();
type Service = Awaited<ReturnType<typeof openService>>;

/** A call that was just made. */
function list(service: Service, id: number) {
	service.add(clock.now - 1, { id, createdAt: iso(clock.now - 1), summary: 'said' });
}

it('a trigger that is renamed continues where it stopped, until n8n is restarted', async () => {
	const service = await openService();
	const { poller, ids, rename } = await publish({ event: 'newCall' });
	setClock(start + 3 * HOUR);
	list(service, 1);
	await poller.poll();
	setClock(clock.now + MINUTE);
	list(service, 2);
	await rename('Calls');
	setClock(clock.now + MINUTE);
	list(service, 3);
	await poller.poll();
	expect(ids()).toEqual([1, 2, 3]);
});

it('with durable cursors, polling begins when the workflow is published, not with the first scheduled poll', async () => {
	const service = await openService();
	const { poller, ids } = await publish({ event: 'newCall' }, { durable: true });
	setClock(start + 5 * HOUR);
	list(service, 1);
	setClock(start + 24 * HOUR);
	await poller.poll();
	expect(ids()).toEqual([1]);
});

it('a poll that n8n drops because the workflow was published while it ran loses no record', async () => {
	const service = await openService();
	const { poller, ids, change } = await publish({ event: 'newCall' });
	setClock(start + 30 * MINUTE);
	list(service, 1);
	await poller.poll();
	setClock(start + 40 * MINUTE);
	list(service, 2);
	let answer: () => void = () => undefined;
	const answered = new Promise<undefined>((resolve) => (answer = () => resolve(undefined)));
	service.before = async () => await answered;
	const { requests } = service;
	const running = poller.poll();
	await waitUntil('the request', () => service.requests > requests);
	await change({ event: 'newCall' });
	answer();
	await running;
	for (let minute = 1; minute <= 3; minute++) {
		setClock(clock.now + MINUTE);
		await poller.poll();
	}
	expect(ids()).toEqual([1, 2]);
});
