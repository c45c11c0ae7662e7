import type { IDataObject } from 'n8n-workflow';
import { Delivery } from '../../../nodes/CarrierLoadCommunicationsTrigger/duplicates.ts';

const HOUR = 60 * 60 * 1000;
const now = Date.now();
let triggers = 0;
const newTrigger = () => `workflow:${++triggers}`;
const identitiesOf = (keys: string[]) =>
	new Map(keys.map((key, index) => [`${index}:${key}`, { key, rememberMs: HOUR }]));
/** Keys in the static data, oldest first. */
const storedIn = ({ received }: IDataObject) =>
	String(received)
		.split(' ')
		.map((entry) => entry.split(':')[0]);
const soon = () => Date.now() + 100;
const inTime = () => Date.now() + 120_000;

/** One request: which of its events are new. Its delivery is not decided yet. */
function request(
	trigger: string,
	keys: string[],
	staticData: IDataObject = {},
	at = now,
	deadline = inTime(),
) {
	const response = { writableEnded: false };
	const memory = new Delivery<string>(trigger, staticData, response, at);
	return { response, memory, claims: memory.claim(identitiesOf(keys), deadline) };
}

/** Names of the events that are new, after n8n has stored them. */
async function receive(trigger: string, keys: string[], staticData: IDataObject = {}, at = now) {
	const { memory, claims } = request(trigger, keys, staticData, at);
	const duplicates = await claims;
	memory.store();
	return keys.filter((key, index) => duplicates?.has(`${index}:${key}`) === false);
}

describe('an event', () => {
	it('is new once for each trigger, even within one request', async () => {
		const trigger = newTrigger();
		expect(await receive(trigger, ['a', 'b', 'a'])).toEqual(['a', 'b']);
		expect(await receive(trigger, ['a', 'c'])).toEqual(['c']);
		expect(await receive(newTrigger(), ['a'])).toEqual(['a']);
	});

	it('is remembered in static data across a restart', async () => {
		const staticData: IDataObject = {};
		await receive(newTrigger(), ['a'], staticData);
		expect(await receive(newTrigger(), ['a', 'b'], structuredClone(staticData))).toEqual(['b']);
	});

	it('is new again after its time, even after a restart', async () => {
		const trigger = newTrigger();
		const staticData: IDataObject = {};
		await receive(trigger, ['a'], staticData);
		expect(await receive(trigger, ['a'], staticData, now + HOUR - 1000)).toEqual([]);
		expect(await receive(trigger, ['a'], staticData, now + HOUR + 1000)).toEqual(['a']);
		expect(await receive(newTrigger(), ['a'], staticData, now + 3 * HOUR)).toEqual(['a']);
	});
});

describe('an event that n8n is storing for another request', () => {
	it('is a duplicate once it is stored', async () => {
		const trigger = newTrigger();
		const first = request(trigger, ['a', 'b']);
		await first.claims;
		const second = receive(trigger, ['b', 'a', 'c']);
		first.memory.store();
		expect(await second).toEqual(['c']);
	});

	it('is new if n8n fails to store it', async () => {
		const trigger = newTrigger();
		const first = request(trigger, ['a', 'b']);
		await first.claims;
		const second = receive(trigger, ['b', 'a']);
		first.response.writableEnded = true;
		expect(await second).toEqual(['b', 'a']);
	});

	it('is neither until that is decided, and nothing is claimed meanwhile', async () => {
		const trigger = newTrigger();
		const first = request(trigger, ['a']);
		await first.claims;
		const second = request(trigger, ['a', 'b'], {}, now, soon());
		expect(await second.claims).toBeUndefined();
		expect(await receive(trigger, ['b'])).toEqual(['b']);
		first.memory.store();
		expect(await receive(trigger, ['a'])).toEqual([]);
	});

	it('never makes two requests wait for each other', async () => {
		const trigger = newTrigger();
		const orders = [
			['a', 'b', 'c'],
			['c', 'b', 'a'],
			['b', 'c', 'a'],
		];
		const received = await Promise.all(orders.map(async (keys) => await receive(trigger, keys)));
		expect(received.flat().sort()).toEqual(['a', 'b', 'c']);
	});
});

describe('the duplicate memory', () => {
	it('keeps everything when two requests write the same static data', async () => {
		const trigger = newTrigger();
		const loadedBefore: IDataObject = {};
		await receive(trigger, ['a'], {});
		await receive(trigger, ['b'], loadedBefore);
		expect(storedIn(loadedBefore)).toEqual(['a', 'b']);
	});

	it('is saved for all requests by the last one of several at the same time', async () => {
		const trigger = newTrigger();
		await receive(trigger, ['earlier'], {});
		const staticData: IDataObject[] = [{}, {}, {}];
		const requests = staticData.map((each, nth) => request(trigger, [`one-of-${nth}`], each));
		await Promise.all(requests.map(({ claims }) => claims));
		requests[0]?.memory.store();
		// n8n fails to store this one.
		if (requests[1]) requests[1].response.writableEnded = true;
		requests[2]?.memory.store();
		expect(staticData.slice(0, 2)).toEqual([{}, {}]);
		expect(storedIn(staticData[2] ?? {})).toEqual(['earlier', 'one-of-0', 'one-of-2']);
	});

	it('is saved once a second while requests never cease', async () => {
		const trigger = newTrigger();
		await request(trigger, ['undecided']).claims;
		let saved = 0;
		const clock = jest.spyOn(Date, 'now');
		for (let nth = 0; nth < 50; nth++) {
			clock.mockReturnValue(now + nth * 100);
			const staticData: IDataObject = {};
			await receive(trigger, [`event-${nth}`], staticData);
			if (storedIn(staticData).at(-1) === `event-${nth}`) saved += 1;
		}
		clock.mockRestore();
		expect(saved).toBe(5);
	});

	it('keeps what another process wrote', async () => {
		const trigger = newTrigger();
		await receive(trigger, ['a'], {});
		const seconds = Math.ceil((now + HOUR) / 1000);
		const staticData: IDataObject = { received: `elsewhere:${seconds}` };
		expect(await receive(trigger, ['elsewhere', 'b'], staticData)).toEqual(['b']);
		expect(storedIn(staticData)).toEqual(['a', 'elsewhere', 'b']);
	});

	it('keeps the newest 1,000 across a restart, twice as many as one request may contain', async () => {
		const trigger = newTrigger();
		const staticData: IDataObject = {};
		const keys = Array.from({ length: 500 }, (_, nth) => `a-${nth}`);
		for (const prefix of ['x', 'y', 'z']) {
			await receive(
				trigger,
				keys.map((key) => prefix + key),
				staticData,
			);
		}
		const stored = storedIn(staticData);
		expect(stored).toHaveLength(1000);
		expect([stored[0], stored.at(-1)]).toEqual(['ya-0', 'za-499']);
	});

	it('keeps the newest 20,000 of a trigger in one process', async () => {
		const trigger = newTrigger();
		for (let request = 0; request < 41; request++) {
			await receive(
				trigger,
				Array.from({ length: 500 }, (_, nth) => `${request}-${nth}`),
			);
		}
		expect(await receive(trigger, ['0-0', '1-0', '40-499'])).toEqual(['0-0']);
	});

	it('is not disturbed by static data that makes no sense', async () => {
		for (const received of [null, '', 'a', 'a:x', ' : ', [], { a: 'x' }, { __proto__: null }, 7]) {
			expect(await receive(newTrigger(), ['a'], { received } as IDataObject)).toEqual(['a']);
		}
	});
});
