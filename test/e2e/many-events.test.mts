import { eventOf, send, signed, until } from './support/events.mts';
import { TriggerStage } from './support/triggers-stage.mts';

const stage = new TriggerStage();

beforeAll(async () => await stage.open(), 240_000);
afterAll(async () => await stage.close(), 60_000);

describe('many events', () => {
	const COUNT = 2000;

	it('start one execution each, with its own metadata, none lost and none doubled', async () => {
		const { id, url } = await stage.activeTrigger();
		const numbers = Array.from({ length: COUNT }, (_, nth) => nth);
		const queue = numbers.values();
		const statuses: number[] = [];
		const sender = async () => {
			for (const nth of queue) {
				const body = eventOf({ callId: nth, metadata: { nth, load: `L${nth}` } });
				statuses.push((await send(url, signed(body))).status);
			}
		};
		await Promise.all(Array.from({ length: 16 }, sender));
		expect(statuses.filter((status) => status === 200)).toHaveLength(COUNT);

		const all = async () => (await stage.executionCount(id, 'success')) >= COUNT;
		await until('all executions', all, 5);
		const metadata: unknown[] = [];
		const executions = (await stage.executionIds(id)).values();
		const reader = async () => {
			for (const execution of executions) {
				const items = await stage.itemsOf(execution);
				metadata.push(...items.map((item) => item['metadata']));
			}
		};
		await Promise.all(Array.from({ length: 4 }, reader));
		const byNumber = (one: unknown, other: unknown) => Number(Object(one).nth) - Object(other).nth;
		expect(metadata.sort(byNumber)).toEqual(numbers.map((nth) => ({ nth, load: `L${nth}` })));
	}, 1_200_000);

	it('start once when each comes several times at the same moment, and after a restart', async () => {
		const { id, url } = await stage.activeTrigger();
		const bodies = Array.from({ length: 100 }, () => eventOf());
		const answers = await Promise.all(
			[...bodies, ...bodies, ...bodies].map(async (body) => await send(url, signed(body))),
		);
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
		await until('the executions', async () => (await stage.executionCount(id)) === 100);

		// Of requests that come together the last one wins; the next event saves them all.
		await send(url, signed(eventOf()));
		await stage.restart();
		const again = url.replace(/^http:\/\/[^/]+/, stage.baseUrl);
		await stage.registered(again);
		const repeated = await Promise.all(
			bodies.map(async (body) => JSON.parse((await send(again, signed(body))).text) as object),
		);
		expect(repeated).toEqual(
			bodies.map(() => expect.objectContaining({ repeated: 1, started: 0 })),
		);
		expect(await stage.executionIds(id)).toHaveLength(101);
	}, 240_000);
});
