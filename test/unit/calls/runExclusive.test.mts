import { runExclusive } from '../../../nodes/CarrierLoadCommunications/calls/memory.ts';
import { awaitPace } from '../../../nodes/CarrierLoadCommunications/calls/turn.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('work with runExclusive', () => {
	it('runs one at a time for one key, and in parallel for different keys', async () => {
		const log: string[] = [];
		const work = (name: string) => async () => {
			log.push(`${name} begins`);
			await turn();
			log.push(`${name} ends`);
		};
		await Promise.all([
			runExclusive('a', work('1')),
			runExclusive('a', work('2')),
			runExclusive('b', work('3')),
		]);
		expect(log.indexOf('1 ends')).toBeLessThan(log.indexOf('2 begins'));
		expect(log.indexOf('3 begins')).toBeLessThan(log.indexOf('1 ends'));
	});

	it('does not block the next after it throws', async () => {
		const broken = runExclusive('a', async () => {
			throw new Error('broken');
		});
		await expect(broken).rejects.toThrow('broken');
		expect(await runExclusive('a', async () => 7)).toBe(7);
	});
});

describe('a pace', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	it('spaces calls evenly, even if the process was blocked meanwhile', async () => {
		const came: number[] = [];
		const from = Date.now();
		for (let turns = 0; turns < 4; turns++) {
			void awaitPace('node', 30, undefined).then(() => came.push(Date.now() - from));
		}
		await jest.advanceTimersByTimeAsync(2000);
		jest.setSystemTime(Date.now() + 5000);
		await jest.advanceTimersByTimeAsync(10_000);
		const gaps = came.slice(1).map((at, index) => at - (came[index] ?? 0));
		expect(came).toHaveLength(4);
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2000);
	});

	it('is shared by all executions of a node, but not with other nodes', async () => {
		const turns: string[] = [];
		await awaitPace('a', 60, undefined);
		void awaitPace('a', 60, undefined).then(() => turns.push('the same node'));
		void awaitPace('b', 60, undefined).then(() => turns.push('another node'));
		await jest.advanceTimersByTimeAsync(900);
		expect(turns).toEqual(['another node']);
		await jest.advanceTimersByTimeAsync(100);
		expect(turns).toEqual(['another node', 'the same node']);
	});

	it('ends a wait when the user presses Stop', async () => {
		const stop = new AbortController();
		await awaitPace('slow node', 1, stop.signal);
		const next = awaitPace('slow node', 1, stop.signal);
		stop.abort();
		await expect(next).rejects.toMatchObject({ details: { kind: 'cancelled' } });
	});
});
