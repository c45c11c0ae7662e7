import { inLine } from '../../../nodes/CarrierLoadCommunications/calls/memory/runExclusive.ts';
import { inParallel, Pace } from '../../../nodes/CarrierLoadCommunications/calls/dial/pacing.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('work in line', () => {
	it('for one key is done one after the other, for other keys at once', async () => {
		const log: string[] = [];
		const work = (name: string) => async () => {
			log.push(`${name} begins`);
			await turn();
			log.push(`${name} ends`);
		};
		await Promise.all([inLine('a', work('1')), inLine('a', work('2')), inLine('b', work('3'))]);
		expect(log.indexOf('1 ends')).toBeLessThan(log.indexOf('2 begins'));
		expect(log.indexOf('3 begins')).toBeLessThan(log.indexOf('1 ends'));
	});

	it('that throws holds nobody up', async () => {
		const broken = inLine('a', async () => {
			throw new Error('broken');
		});
		await expect(broken).rejects.toThrow('broken');
		expect(await inLine('a', async () => 7)).toBe(7);
	});
});

describe('work in parallel', () => {
	it('begins no other after a failure, and waits for what is under way', async () => {
		const ended: number[] = [];
		const running = inParallel([0, 1, 2, 3, 4, 5], 2, async (job) => {
			await turn();
			if (job === 0) throw new Error('first');
			await turn();
			ended.push(job);
		});
		await expect(running).rejects.toThrow('first');
		expect(ended).toEqual([1]);
	});
});

describe('a pace', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	it('lets turns come evenly, also when the process stood still meanwhile', async () => {
		const pace = new Pace(30, undefined);
		const came: number[] = [];
		const from = Date.now();
		for (let turns = 0; turns < 4; turns++) {
			void pace.turn().then(() => came.push(Date.now() - from));
		}
		await jest.advanceTimersByTimeAsync(2000);
		jest.setSystemTime(Date.now() + 5000);
		await jest.advanceTimersByTimeAsync(10_000);
		const gaps = came.slice(1).map((at, index) => at - (came[index] ?? 0));
		expect(came).toHaveLength(4);
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2000);
	});

	it('ends a wait for a turn when the user presses Stop', async () => {
		const stop = new AbortController();
		const pace = new Pace(1, stop.signal);
		await pace.turn();
		const next = pace.turn();
		stop.abort();
		await expect(next).rejects.toMatchObject({ details: { kind: 'cancelled' } });
	});

	it('is as fast as calls come when none is set', async () => {
		const pace = new Pace(undefined, undefined);
		await Promise.all([pace.turn(), pace.turn(), pace.turn()]);
	});
});
