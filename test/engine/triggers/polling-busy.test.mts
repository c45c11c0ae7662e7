import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';
import { waitUntil } from '../../support/wait-until.mts';

const { openService, publish } = openPublishing();
const newCall = { event: 'newCall' };
type Service = Awaited<ReturnType<typeof openService>>;

function list(service: Service, id: number) {
	service.add(clock.now - 1, { id, createdAt: iso(clock.now - 1), summary: 'said' });
}

/** Responds with 429 to the next requests. */
function beBusy(service: Service, times: number, headers: Record<string, string>) {
	let left = times;
	service.headers = headers;
	service.before = async () => (left-- > 0 ? 429 : undefined);
}

describe('a service that is busy (429)', () => {
	it.each([
		['longer than a poll may take', '3600'],
		['until a date in an hour', new Date(start + MINUTE + HOUR).toUTCString()],
	])('%s is left alone until then, which one failed poll says', async (_how, retryAfter) => {
		const service = await openService();
		const { poller, ids } = await publish(newCall);
		setClock(start + MINUTE);
		list(service, 1);
		beBusy(service, 1, { 'Retry-After': retryAfter, Date: new Date(clock.now).toUTCString() });
		const before = service.requests;
		for (let minute = 1; minute <= 60; minute++) {
			setClock(start + minute * MINUTE);
			await poller.poll();
		}
		expect(service.requests - before).toBe(1);
		expect(poller.failures).toEqual([
			expect.objectContaining({
				description: expect.stringMatching(
					/asks to wait until 2026-03-02T13:01:00\.000Z\. Polling continues at 2026-03-02T13:01:00\.000Z\./,
				),
			}),
		]);
		setClock(start + 61 * MINUTE);
		await poller.poll();
		expect(ids()).toEqual([1]);
	});

	it('longer than an hour is asked once an hour, so that n8n shows it, and nothing is lost', async () => {
		const service = await openService();
		const { poller, ids } = await publish(newCall);
		beBusy(service, 3, { 'Retry-After': '999999999999' });
		const before = service.requests;
		for (let minute = 1; minute <= 240; minute += 10) {
			setClock(start + minute * MINUTE);
			list(service, minute);
			await poller.poll();
		}
		expect(service.requests - before).toBeLessThan(12);
		expect(poller.failures).toHaveLength(3);
		expect(ids()).toEqual(Array.from({ length: 24 }, (_each, nth) => 1 + 10 * nth));
	});

	it('fails the publishing of a workflow each time', async () => {
		const service = await openService();
		beBusy(service, 2, { 'Retry-After': '3600' });
		const error = expect.objectContaining({ httpCode: '429' });
		for (let nth = 0; nth < 2; nth++) {
			const node = { id: 'busy' };
			await expect(publish(newCall, { node, workflowId: 'busy' })).rejects.toEqual(error);
		}
	});

	it('is left alone after it has returned only some of the records', async () => {
		const service = await openService();
		const { poller, ids } = await publish({ ...newCall, options: { catchUpHours: 48 } });
		const made = [
			...Array.from({ length: 30 }, (_each, hour) => start + (hour + 1) * HOUR),
			...Array.from({ length: 2010 }, (_each, second) => start + 31 * HOUR + second * 1000),
		];
		for (const [id, ms] of made.entries()) service.add(ms, { id, createdAt: iso(ms) });
		setClock(start + 32 * HOUR);
		let isPartRead = false;
		service.returns = (rows) => {
			isPartRead ||= rows.length > 0 && rows.length < 100;
			return rows;
		};
		service.headers = { 'Retry-After': '3600' };
		service.before = async () => (isPartRead ? 429 : undefined);
		await poller.poll();
		expect(ids()).toEqual(made.map((_ms, id) => id).slice(0, ids().length));
		expect(ids().length).toBeGreaterThan(0);
		expect(ids().length).toBeLessThan(100);
		const { requests } = service;
		await poller.poll();
		expect([service.requests - requests, poller.failures]).toEqual([0, []]);
		service.before = async () => undefined;
		for (let nth = 0; nth < 3; nth++) {
			setClock(clock.now + HOUR);
			await poller.poll();
		}
		expect(ids()).toEqual(made.map((_ms, id) => id));
	});

	it('until a date by its own clock, two hours ahead, is asked again after the time it meant', async () => {
		const service = await openService();
		const { poller, ids } = await publish(newCall);
		setClock(start + MINUTE);
		list(service, 1);
		const theirs = clock.now + 2 * HOUR;
		beBusy(service, 1, {
			...{ Date: new Date(theirs).toUTCString() },
			'Retry-After': new Date(theirs + 1000).toUTCString(),
		});
		await poller.poll();
		expect(poller.failures).toEqual([]);
		expect(ids()).toEqual([1]);
	});

	it('is not asked by the polls that start while one waits', async () => {
		const service = await openService();
		const { poller, ids } = await publish(newCall);
		setClock(start + MINUTE);
		list(service, 1);
		beBusy(service, 1, { 'Retry-After': '0.5' });
		const before = service.requests;
		const waiting = poller.poll();
		await waitUntil('the first response', () => service.requests > before);
		await Promise.all([poller.poll(), poller.poll()]);
		expect(service.requests - before).toBe(1);
		await waiting;
		expect(ids()).toEqual([1]);
		expect(poller.failures).toEqual([]);
	});
});

describe('two polling triggers with one credential', () => {
	it('deliver each record of their own event, also at the same moment', async () => {
		const service = await openService();
		const calls = await publish(newCall);
		const outcomes = await publish({ event: 'callOutcomeReady' });
		for (let minute = 1; minute <= 5; minute++) {
			setClock(start + minute * MINUTE);
			list(service, minute);
			await Promise.all([calls.poller.poll(), outcomes.poller.poll()]);
		}
		setClock(clock.now + MINUTE);
		await outcomes.poller.poll();
		expect(calls.ids()).toEqual([1, 2, 3, 4, 5]);
		expect(outcomes.ids()).toEqual([1, 2, 3, 4, 5]);
	});
});

describe('the nights when the clocks change', () => {
	// Chicago: 2026-03-08 08:00 UTC is 3 a.m., after 1:59; 2026-11-01 07:00 UTC is 1 a.m. again.
	it.each([
		['spring', '2026-03-07T08:30:00Z', [0, 47, 71]],
		['fall', '2026-10-31T06:30:00Z', [0, 24, 25, 49]],
	])('of %s neither lose nor repeat a record of a daily poll', async (_night, first, hours) => {
		const begin = Date.parse(first);
		setClock(begin - 24 * HOUR);
		const service = await openService();
		const pollTimes = { item: [{ mode: 'everyDay', hour: 2, minute: 30 }] };
		const { poller, ids } = await publish({ ...newCall, pollTimes });
		let id = 0;
		let hour = -24;
		for (const poll of hours) {
			for (; hour < poll; hour++) {
				const made = begin + hour * HOUR + 30 * MINUTE;
				service.add(made, { id: ++id, createdAt: iso(made) });
			}
			setClock(begin + poll * HOUR);
			await poller.poll();
		}
		expect(poller.failures).toEqual([]);
		expect(ids()).toEqual(Array.from({ length: id }, (_each, index) => index + 1));
	});
});
