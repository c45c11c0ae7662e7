import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';
import { waitUntil } from '../../support/wait-until.mts';

const { openService, publish } = openPublishing();
type Service = Awaited<ReturnType<typeof openService>>;

/** A call that was just made. */
function list(service: Service, id: number, summary = 'said') {
	const made = clock.now - 1;
	const call = { id, createdAt: iso(made), summary };
	service.add(made, call);
	return call;
}

describe('a trigger that is renamed', () => {
	it('keeps what it remembers', async () => {
		const service = await openService();
		const { poller, ids, rename } = await publish({ event: 'callOutcomeReady' });
		setClock(start + MINUTE);
		const early = list(service, 1, '');
		await poller.poll();
		setClock(start + 3 * HOUR);
		list(service, 2);
		const late = list(service, 3, '');
		await poller.poll();
		setClock(clock.now + MINUTE);
		late.summary = 'said';
		await rename('Outcomes');
		setClock(clock.now + HOUR);
		early.summary = 'said';
		await poller.poll();
		await poller.crash();
		expect(ids()).toEqual([2, 3, 1]);
	});
});

describe('a poll that n8n drops, because the workflow was changed while it ran,', () => {
	/** A poll that found one call and has not returned yet. */
	async function runningPoll(event = 'newCall') {
		const service = await openService();
		const trigger = await publish({ event });
		setClock(start + 30 * MINUTE);
		list(service, 1);
		await trigger.poller.poll();
		setClock(start + 35 * MINUTE);
		await trigger.poller.poll();
		setClock(start + 40 * MINUTE);
		list(service, 2);
		let answer: () => void = () => undefined;
		const answered = new Promise<undefined>((resolve) => (answer = () => resolve(undefined)));
		service.before = async () => await answered;
		const { requests } = service;
		const running = trigger.poller.poll();
		await waitUntil('the request', () => service.requests > requests);
		return { ...trigger, service, running, answer };
	}

	it.each(['another token', 'another filter'])(
		'loses no record if the workflow has %s then',
		async (what) => {
			const { poller, ids, running, answer, ...changing } = await runningPoll();
			poller.unpublish();
			answer();
			await running;
			setClock(clock.now + MINUTE);
			if (what === 'another token') await changing.chooseCredential({ accessToken: 'rotated' });
			else await changing.change({ event: 'newCall', filters: { loadId: '48213' } });
			setClock(clock.now + MINUTE);
			await poller.poll();
			expect(ids()).toEqual([1, 2]);
		},
	);

	it('loses no record if it ends after that', async () => {
		const { poller, ids, running, answer, chooseCredential } = await runningPoll();
		await chooseCredential({ accessToken: 'rotated' });
		answer();
		await running;
		for (let minute = 1; minute <= 3; minute++) {
			setClock(clock.now + MINUTE);
			await poller.poll();
		}
		expect(ids()).toEqual([1, 2]);
	});
});
