import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openService, publish } = openPublishing();
const newCall = { event: 'newCall' };
const outcomes = { event: 'callOutcomeReady' };
type Service = Awaited<ReturnType<typeof openService>>;

/** A call that the service lists from now on, made some minutes ago. */
function list(service: Service, id: number, { ago = 0, ahead = 0, summary = 'said' } = {}) {
	const made = clock.now - ago * MINUTE;
	const call = { id, createdAt: iso(made + ahead * MINUTE), summary };
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
	expect(trigger.ids()).toEqual([1, 2, 3]);
	setClock(clock.now + MINUTE);
	return { ...trigger, first, other };
}

describe.each([
	['the base URL is edited', 'editCredential'],
	['another credential is chosen', 'chooseCredential'],
] as const)('when %s and leads to another service', (_change, how) => {
	it('delivers its new calls, whatever their IDs, and no older ones', async () => {
		const { poller, ids, other, [how]: change } = await polled(newCall);
		for (const [index, id] of [1, 2, 90].entries()) list(other, id, { ago: 10 + 10 * index });
		await change({ baseUrl: other.baseUrl });
		await poller.poll();
		setClock(clock.now + MINUTE);
		list(other, 3);
		list(other, 91);
		await poller.poll();
		expect(ids().slice(3)).toEqual([3, 91]);
	});

	it('does not take its calls for those whose outcome it waited for', async () => {
		const { poller, ids, first, other, [how]: change } = await polled(outcomes);
		list(first, 50, { ago: 5, summary: '' });
		await poller.poll();
		list(other, 50, { ago: 6 });
		list(other, 51, { ago: 5 });
		await change({ baseUrl: other.baseUrl });
		await poller.poll();
		setClock(clock.now + 2 * HOUR);
		await poller.poll();
		expect(ids().slice(3)).toEqual([]);
	});
});

describe.each([
	['the token is replaced', 'editCredential', false],
	['the token is replaced in a new credential', 'chooseCredential', false],
	['the service moves to another URL', 'editCredential', true],
] as const)('when %s', (_change, how, moves) => {
	it('loses nothing and repeats nothing', async () => {
		const { poller, ids, first, other, [how]: change } = await polled(outcomes);
		const waiting = list(first, 4, { ago: 20, summary: '' });
		const soon = list(first, 5, { ago: 10, summary: '' });
		await poller.poll();
		list(first, 6, { ahead: 5 });
		await poller.poll();
		setClock(clock.now + MINUTE);
		list(first, 7, { ago: 15 });
		// The call before is listed late, and the one before that was made by a clock that is ahead.
		soon.summary = 'said';
		other.rows = first.rows;
		await change({ accessToken: 'rotated', ...(moves && { baseUrl: other.baseUrl }) });
		await poller.poll();
		setClock(clock.now + 3 * HOUR);
		await poller.poll();
		waiting.summary = 'said';
		setClock(clock.now + HOUR);
		list(first, 8, { ago: 30 });
		await poller.poll();
		expect(ids().slice(3)).toEqual([6, 7, 5, 4, 8]);
	});
});

it('a filter changed together with the base URL delivers only what is new', async () => {
	const { poller, ids, other, chooseCredential } = await polled(newCall);
	list(other, 1, { ago: 10 });
	const filtered = { ...newCall, filters: { mcNumber: '123456' } };
	await chooseCredential({ baseUrl: other.baseUrl }, filtered);
	setClock(clock.now + MINUTE);
	list(other, 2);
	await poller.poll();
	expect(ids().slice(3)).toEqual([2]);
});

it('a filter changed together with the token delivers no call that the old filter hid', async () => {
	const { poller, ids, first, chooseCredential } = await polled(newCall);
	first.returns = (rows) => rows;
	list(first, 60, { ago: 20 });
	const filtered = { ...newCall, filters: { mcNumber: '123456' } };
	await chooseCredential({ accessToken: 'rotated' }, filtered);
	setClock(clock.now + MINUTE);
	list(first, 61);
	await poller.poll();
	expect(ids().slice(3)).toEqual([61]);
});

it('what is remembered does not contain the token or the base URL', async () => {
	const { poller } = await polled(newCall);
	expect(JSON.stringify(poller.stored)).not.toMatch(/a-token-of-the-tests|127\.0\.0\.1/);
});

it('a call whose outcome comes with the first poll after a changed filter is delivered', async () => {
	const service = await openService();
	const { poller, ids, change } = await publish({ ...outcomes, filters: { loadId: '48213' } });
	setClock(start + MINUTE);
	const call = list(service, 1, { summary: '' });
	await poller.poll();
	setClock(start + 5 * MINUTE);
	call.summary = 'said';
	await change(outcomes);
	expect(ids()).toEqual([1]);
});

it('a call whose time has no zone is delivered if it is made between the last poll and a change', async () => {
	const service = await openService();
	const { ids, change } = await publish({ ...newCall, filters: { loadId: '48213' } });
	setClock(start + 5 * MINUTE);
	for (const [id, ago] of [7, 3].entries()) {
		const made = clock.now - ago * MINUTE;
		service.add(made, { id, createdAt: iso(made).replace('Z', '') });
	}
	await change(newCall);
	expect(ids()).toEqual([1]);
});
