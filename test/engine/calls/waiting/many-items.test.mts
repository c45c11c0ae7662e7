import type { INodeParameters } from 'n8n-workflow';
import { waitUntil } from '../../../support/wait-until.mts';
import { type Driver, drivers, savedWorkflow } from '../../support/calls/dispatch.mts';
import { openListService, type ListService } from '../../support/calls/list-service.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

const CALLS = 501;
const FEW = 40;
const UNANSWERED = 25;
const parameters: INodeParameters = {
	...{
		waitForOutcome: 'polling',
		waitLimit: 0.02,
		pollInterval: 0.1,
	},
	options: { callsInParallel: 50 },
	rules: { skipIfCalledWithin: 0, maxCalls: CALLS },
};

const dispatch = useDispatch();
let service: ListService;
/** Which of the calls have no outcome, in the order in which they were placed. */
let open: number[];
beforeEach(async () => {
	open = [UNANSWERED];
	const start = Date.now() - CALLS * 1000;
	service = await openListService(({ toPhone, loadNumber }, index) => ({
		...{ id: 7000 + index, toPhone, loadIds: [loadNumber] },
		createdAt: new Date(start + index * 1000).toISOString(),
		...{ summary: open.includes(index) ? null : 'On time.', transcript: null, recordingUrl: null },
	}));
});
afterEach(async () => await service.close());

const runWith = async (items: Driver[], more: INodeParameters) =>
	await dispatch.engine.runWorkflow(savedWorkflow({ ...parameters, ...more }), {
		...{ items, credentials: service.credentials, subject: 'Call' },
	});
const run = async (more: INodeParameters = {}, count = CALLS) =>
	await runWith(drivers(count), more);
const unanswered = () => service.calls.find(({ summary }) => summary === null);

describe('polling the call list for many calls', () => {
	it('looks only for the one still open, and names it when the time is up', async () => {
		// Long enough to read the whole list once, also on a busy machine.
		const { items, hints } = await run({ waitLimit: 0.2 });
		expect(items.filter(({ timedOut }) => timedOut === true)).toEqual([
			expect.objectContaining({ callId: unanswered()?.id }),
		]);
		expect(items.filter(({ summary }) => summary === 'On time.')).toHaveLength(CALLS - 1);
		const [message] = hints.map((hint) => hint.message);
		expect(message).toMatch(`1 call has no outcome yet: ${unanswered()?.id} to +1`);
		expect(message).toContain(`(load ${String(unanswered()?.loadIds)})`);
		expect(Math.max(...service.pages.slice(2))).toBeLessThan(10);
	});

	it('finds the outcomes of calls far apart in the list with one reading', async () => {
		open = [5, 35];
		const { items, hints } = await run({}, FEW);
		const left = items.filter(({ timedOut }) => timedOut === true);
		expect(left.map(({ callId }) => callId)).toEqual([7005, 7035]);
		expect(hints[0]?.message).toMatch('2 calls have no outcome yet');
		const [from, to] = open.map((index) => String(service.calls[index]?.createdAt));
		expect(service.ranges.length).toBeGreaterThan(2);
		for (const [start, end] of service.ranges) {
			expect([start < String(from), end > String(to)]).toEqual([true, true]);
		}
	});

	it.each([
		['no answer', { status: 'NO_ANSWER' }],
		['busy', { status: 'busy' }],
		['failed', { status: 'Failed' }],
		['voicemail as a content tag', { contentTags: 'check_call,voicemail' }],
	])('stops for a call that ended without an outcome: %s', async (_what, end) => {
		const waiting = run({ waitLimit: 60 }, FEW);
		await waitUntil('a second look at the list', () => service.pages.length >= 2);
		Object.assign(unanswered() ?? {}, end);
		const { items, hints } = await waiting;
		expect(items[UNANSWERED]).toMatchObject({ ...end, timedOut: false });
		expect(items.every(({ timedOut }) => timedOut === false)).toBe(true);
		const [{ message } = { message: '' }, ...others] = hints;
		expect(message).toBe('40 rows: 40 called, 0 skipped, 0 failed, 0 waiting.');
		expect(others).toEqual([]);
	});

	it('finds a call that moved to another time in the list, and one whose ID is text', async () => {
		const waiting = run({ waitLimit: 60 });
		await waitUntil('a second look at the list', () => service.pages.length >= 3);
		const moved = { createdAt: new Date().toISOString(), id: String(unanswered()?.id) };
		Object.assign(unanswered() ?? {}, moved, { summary: 'On time.' });
		const { items } = await waiting;
		expect(items.filter(({ timedOut }) => timedOut === true)).toEqual([]);
	});

	it('gives a row that repeats an earlier one the outcome of its call', async () => {
		open = [0];
		const [one, two] = [drivers(1), drivers(1)];
		const waiting = runWith([...one, ...two, ...one], {
			...{ waitLimit: 60, rules: { skipIfCalledWithin: 10 } },
		});
		await waitUntil('a second look at the list', () => service.pages.length >= 3);
		Object.assign(unanswered() ?? {}, { summary: 'Late: flat tire.' });
		const { items } = await waiting;
		expect(items.map(({ placement }) => placement)).toEqual([
			...['placed', 'placed', 'skippedDuplicate'],
		]);
		const ends = items.map(({ callId, summary, timedOut }) => [callId, summary, timedOut]);
		expect(ends).toEqual([
			[7000, 'Late: flat tire.', false],
			[7001, 'On time.', false],
			[7000, 'Late: flat tire.', false],
		]);
	});
});
