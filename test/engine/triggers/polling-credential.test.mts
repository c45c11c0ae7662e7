import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, iso, MINUTE, setClock } from '../support/triggers/simulated-clock.mts';

const { openService, publish } = openPublishing();
const newCall = { event: 'newCall' };
type Service = Awaited<ReturnType<typeof openService>>;

/** A call that the service lists from now on, made some minutes ago. */
function list(service: Service, id: number, { ago = 0, summary = 'said' } = {}) {
	const made = clock.now - ago * MINUTE;
	const call = { id, createdAt: iso(made), summary };
	service.add(made, call);
	return call;
}

/** An hour and a half of polling the first service, which lists the calls 1, 2 and 3. */
async function polled(parameters: object) {
	const [other, first] = [await openService(), await openService()];
	const trigger = await publish(parameters);
	for (const id of [1, 2, 3]) {
		setClock(clock.now + 30 * MINUTE);
		list(first, id, { ago: 1 });
		await trigger.poller.poll();
	}
	setClock(clock.now + MINUTE);
	await trigger.poller.poll();
	expect(trigger.ids()).toEqual([1, 2, 3]);
	return { ...trigger, first, other };
}

it('another credential starts fresh: its new calls are delivered, also those with known IDs, and no older ones', async () => {
	const { poller, ids, other, chooseCredential } = await polled(newCall);
	for (const [index, id] of [1, 2, 90].entries()) list(other, id, { ago: 10 + 10 * index });
	await chooseCredential({ baseUrl: other.baseUrl });
	setClock(clock.now + MINUTE);
	list(other, 3);
	list(other, 91);
	await poller.poll();
	expect(ids().slice(3)).toEqual([3, 91]);
});

it('another event starts fresh: what is listed by then is not delivered', async () => {
	const { poller, ids, first, change } = await polled(newCall);
	await change({ event: 'callOutcomeReady' });
	list(first, 4);
	for (let minute = 1; minute <= 3; minute++) {
		setClock(clock.now + MINUTE);
		await poller.poll();
	}
	expect(ids().slice(3)).toEqual([4]);
});

it.each(['newCall', 'callOutcomeReady'])(
	'for %s, a new token in the same credential loses nothing and repeats nothing',
	async (event) => {
		const { poller, ids, first, editCredential } = await polled({ event });
		const waiting = list(first, 4, { ago: 20, summary: '' });
		await poller.poll();
		setClock(clock.now + MINUTE);
		list(first, 5, { ago: 15 });
		await editCredential({ accessToken: 'rotated' });
		await poller.poll();
		waiting.summary = 'said';
		for (let minute = 1; minute <= 3; minute++) {
			setClock(clock.now + MINUTE);
			await poller.poll();
		}
		expect(ids().slice(3).toSorted()).toEqual([4, 5]);
	},
);

it('another filter delivers no call that the old one hid, and what was listed since the last poll', async () => {
	const { poller, ids, first, change } = await polled({ ...newCall, filters: { loadId: '48213' } });
	first.returns = (rows) => rows;
	list(first, 60, { ago: 20 });
	await poller.poll();
	const hidden = ids().length;
	setClock(clock.now + 2 * MINUTE);
	list(first, 61, { ago: 1 });
	await change(newCall);
	setClock(clock.now + MINUTE);
	list(first, 62);
	await poller.poll();
	expect(ids().slice(hidden)).toEqual([61, 62]);
});

it('a larger overlap delivers no call from before the old one', async () => {
	const { poller, ids, change } = await polled({ ...newCall, options: { overlapMinutes: 5 } });
	setClock(clock.now + 30 * MINUTE);
	await poller.poll();
	await change({ ...newCall, options: { overlapMinutes: 600 } });
	await poller.poll();
	expect(ids()).toEqual([1, 2, 3]);
});

it('what is remembered does not contain the token or the base URL', async () => {
	const { poller } = await polled(newCall);
	expect(JSON.stringify(poller.stored)).not.toMatch(/a-token-of-the-tests|127\.0\.0\.1/);
});
