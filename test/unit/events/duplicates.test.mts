import type { IDataObject } from 'n8n-workflow';
import {
	eventId,
	TakenEvents,
} from '../../../nodes/CarrierLoadCommunicationsTrigger/deliver/duplicates.ts';

const DAY = 24 * 60 * 60 * 1000;
const now = Date.parse('2026-03-02T12:00:00Z');
let triggers = 0;
const newTrigger = () => `workflow:${++triggers}`;
const started = Promise.resolve(true);

async function take(trigger: string, ids: string[], staticData: IDataObject = {}, at = now) {
	const takenEvents = new TakenEvents(trigger, staticData, at);
	const taken = await takenEvents.take(ids, started);
	takenEvents.store();
	return [...taken];
}

describe('the id of an event', () => {
	const none = { field: '', header: '' };
	it('is that of its field, of its header, or of all that it says', () => {
		const event = { eventId: 'e1', n: 1 };
		const id = (source: unknown, places: object, headers = {}, index = 0) =>
			eventId(source, index, headers, { ...none, ...places });
		expect(id(event, { field: 'eventId' })).toBe(id({ eventId: 'e1', n: 2 }, { field: 'eventId' }));
		expect(id(event, {})).toBe(id({ ...event }, {}));
		expect(id(event, {})).not.toBe(id({ ...event, n: 2 }, {}));
		const headers = { 'x-event-id': 'h1' };
		const places = { header: 'X-Event-ID' };
		expect(id(event, places, headers)).toBe(id({}, places, headers));
		expect(id(event, places, headers)).not.toBe(id(event, places, headers, 1));
		expect(id(event, { field: 'missing', header: 'missing' })).toBe(id(event, {}));
	});

	it('is short, whatever the event says', () => {
		expect(
			eventId({ id: '__proto__'.repeat(1000) }, 0, {}, { field: 'id', header: '' }),
		).toHaveLength(22);
	});
});

describe('events of a trigger', () => {
	it('are taken once, by each trigger', async () => {
		const trigger = newTrigger();
		expect(await take(trigger, ['a', 'b', 'a'])).toEqual(['a', 'b']);
		expect(await take(trigger, ['a', 'c'])).toEqual(['c']);
		expect(await take(newTrigger(), ['a'])).toEqual(['a']);
	});

	it('are known from the static data after n8n was started again', async () => {
		const staticData: IDataObject = {};
		await take(newTrigger(), ['a'], staticData);
		expect(await take(newTrigger(), ['a', 'b'], structuredClone(staticData))).toEqual(['b']);
	});

	it('are taken again after three days', async () => {
		const trigger = newTrigger();
		const staticData: IDataObject = {};
		await take(trigger, ['a'], staticData);
		expect(await take(trigger, ['a'], staticData, now + 3 * DAY - 1000)).toEqual([]);
		expect(await take(trigger, ['a'], staticData, now + 3 * DAY + 1000)).toEqual(['a']);
	});

	it('are taken again when n8n failed to start what they should', async () => {
		const trigger = newTrigger();
		const failed = Promise.resolve(false);
		await new TakenEvents(trigger, {}, now).take(['a'], failed);
		await failed;
		expect(await take(trigger, ['a'])).toEqual(['a']);
	});

	it('wait while another request takes them, and are taken if that one fails', async () => {
		for (const success of [true, false]) {
			const trigger = newTrigger();
			let settle: (started: boolean) => void = () => undefined;
			const outcome = new Promise<boolean>((resolve) => (settle = resolve));
			const first = await new TakenEvents(trigger, {}, now).take(['a', 'b'], outcome);
			const second = take(trigger, ['b', 'a']);
			settle(success);
			expect([...first].sort()).toEqual(['a', 'b']);
			expect((await second).sort()).toEqual(success ? [] : ['a', 'b']);
		}
	});

	it('do not wait for each other without end', async () => {
		const trigger = newTrigger();
		const orders = [
			['a', 'b', 'c'],
			['c', 'b', 'a'],
			['b', 'c', 'a'],
		];
		const taken = await Promise.all(
			orders.map(async (ids) => {
				let settle: (started: boolean) => void = () => undefined;
				const outcome = new Promise<boolean>((resolve) => (settle = resolve));
				const mine = await new TakenEvents(trigger, {}, now).take(ids, outcome);
				settle(true);
				return [...mine];
			}),
		);
		expect(taken.flat().sort()).toEqual(['a', 'b', 'c']);
	});

	it('lose nothing when two requests write the same static data', async () => {
		const trigger = newTrigger();
		const loadedBefore: IDataObject = {};
		await take(trigger, ['a'], {});
		await take(trigger, ['b'], loadedBefore);
		expect(Object.keys(Object(loadedBefore.taken)).sort()).toEqual(['a', 'b']);
	});

	it('fill the static data up to 500 ids, the newest', async () => {
		const trigger = newTrigger();
		let staticData: IDataObject = {};
		for (let nth = 0; nth < 700; nth++) {
			staticData = structuredClone(staticData);
			await take(trigger, [`id-${nth}`], staticData, now + nth * 1000);
		}
		const ids = Object.keys(Object(staticData.taken));
		expect(ids).toHaveLength(500);
		expect(ids).toContain('id-699');
		expect(ids).not.toContain('id-199');
		expect(JSON.stringify(staticData).length).toBeLessThan(20_000);
	});

	it('survive static data that makes no sense', async () => {
		for (const taken of [null, 'x', [], { a: 'x' }, { __proto__: null }, 7]) {
			expect(await take(newTrigger(), ['a'], { taken } as IDataObject)).toEqual(['a']);
		}
	});
});
