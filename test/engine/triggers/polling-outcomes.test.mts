import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openService, publish } = openPublishing();
const event = 'callOutcomeReady';
type Service = Awaited<ReturnType<typeof openService>>;

/** A call that was just made, as listed. */
function list(service: Service, id = 1, outcome: object = {}) {
	const call = { id, createdAt: iso(clock.now - 1), ...outcome };
	service.add(clock.now - 1, call);
	return call;
}

const whole = { summary: 'on time', transcript: 'Hello. Bye.', recordingUrl: 'https://a/1.wav' };

describe('Call Outcome Ready', () => {
	/** Polls after each of these changes of a call, a minute apart, and until an hour has passed. */
	async function delivered(changes: object[]) {
		const service = await openService();
		const { poller } = await publish({ event });
		setClock(start + MINUTE);
		const call = list(service);
		for (const change of [...changes, ...Array.from({ length: 60 }, () => ({}))]) {
			Object.assign(call, change);
			await poller.poll();
			setClock(clock.now + MINUTE);
		}
		expect(poller.failures).toEqual([]);
		return poller.items;
	}

	it('tells a call whose transcript grows during the call once, with its summary', async () => {
		const live = [1, 2, 3].map((minute) => ({ transcript: 'Hello. '.repeat(minute) }));
		expect(await delivered([...live, whole])).toEqual([expect.objectContaining(whole)]);
	});

	it('tells a call whose summary comes before its transcript and recording once, with all of them', async () => {
		const changes = [{ summary: whole.summary, transcript: null, recordingUrl: null }, whole];
		expect(await delivered(changes)).toEqual([expect.objectContaining(whole)]);
	});

	it('tells no call whose status says that it is in progress', async () => {
		const live = { status: 'IN_PROGRESS', transcript: 'Please hold' };
		const ended = { status: 'completed', ...whole };
		expect(await delivered([live, {}, {}, {}, ended])).toEqual([expect.objectContaining(ended)]);
	});

	it('tells a call whose recording has another URL in each list', async () => {
		const urls = Array.from({ length: 10 }, (_, nth) => ({
			recordingUrl: `https://a/1?sign=${nth}`,
		}));
		expect(await delivered([whole, ...urls])).toHaveLength(1);
	});

	it('tells a transcript that is a list of messages, and none that is empty', async () => {
		const transcript = [{ role: 'agent', message: 'Hello' }];
		expect(await delivered([{ transcript: [] }, {}, { transcript }])).toEqual([
			expect.objectContaining({ transcript }),
		]);
	});

	it('tells an outcome that comes hours after the call within the hour, once', async () => {
		const service = await openService();
		const { poller, ids } = await publish({ event });
		setClock(start + MINUTE);
		const call = list(service);
		for (let minute = 0; minute < 9 * 60; minute++) {
			setClock(start + minute * MINUTE);
			if (minute === 5 * 60) Object.assign(call, whole);
			await poller.poll();
			if (minute < 5 * 60) expect(ids()).toEqual([]);
			if (minute > 6 * 60 + 2) expect(ids()).toEqual([1]);
		}
	});

	it('reads the list once a minute while hundreds of calls of the last day have no outcome', async () => {
		const service = await openService();
		const { poller } = await publish({ event });
		for (let minute = 1; minute <= 300; minute++) {
			setClock(start + minute * MINUTE);
			list(service, minute);
			await poller.poll();
		}
		const before = service.requests;
		for (let minute = 301; minute <= 420; minute++) {
			setClock(start + minute * MINUTE);
			await poller.poll();
		}
		expect(service.requests - before).toBeLessThan(130);
	});

	it('tells outcomes that came while n8n was down for 30 hours, also of calls made before that', async () => {
		const service = await openService();
		const { poller, ids } = await publish({ event });
		setClock(start + MINUTE);
		const early = list(service, 1);
		list(service, 2, whole);
		for (let minute = 2; minute < 180; minute += 20) {
			setClock(start + minute * MINUTE);
			await poller.poll();
		}
		list(service, 3, whole);
		for (let minute = 180; minute < 182; minute++) {
			setClock(start + minute * MINUTE);
			await poller.poll();
		}
		poller.unpublish();
		Object.assign(early, whole);
		setClock(start + 20 * HOUR);
		list(service, 4, whole);
		setClock(start + 30 * HOUR);
		await poller.publish();
		setClock(clock.now + MINUTE);
		await poller.poll();
		expect(ids().toSorted()).toEqual([1, 2, 3, 4]);
	});

	it('tells a call in progress whose outcome comes while the filter is changed', async () => {
		const service = await openService();
		const filters = { loadId: '48213' };
		const { poller, ids, change } = await publish({ event, filters });
		setClock(start + MINUTE);
		const call = list(service);
		await poller.poll();
		Object.assign(call, whole);
		setClock(start + 2 * MINUTE);
		await change({ event });
		setClock(start + 3 * MINUTE);
		await poller.poll();
		expect(ids()).toEqual([1]);
	});
});
