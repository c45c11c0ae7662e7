import { waitUntil } from '../../support/wait-until.mts';
import { driver, drivers, type Driver } from '../support/calls/dispatch.mts';
import { openListService, type ListService } from '../support/calls/list-service.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';

// A driver with three loads has one phone: it can't take three calls at the same time.

const dispatch = useDispatch();
const SECOND = 1000;

interface Requested {
	load: string;
	at: number;
}

let service: ListService;
let requested: Requested[];
/** How long a call takes; undefined if it doesn't end. */
let lastsMs: number | undefined;
beforeEach(async () => {
	requested = [];
	lastsMs = undefined;
	service = await openListService(({ toPhone, loadNumber }, index) => {
		requested.push({ load: loadNumber, at: Date.now() });
		const createdAt = new Date().toISOString();
		const call = { id: index + 1, toPhone, loadIds: [loadNumber], createdAt, status: 'x' };
		if (lastsMs !== undefined) setTimeout(() => (call.status = 'completed'), lastsMs);
		return call;
	});
});
afterEach(async () => await service.close());

/** Three loads of the driver who is named first. */
const loads = () => {
	const [one, ...others] = drivers(3);
	const items = [one, one, one].map((each, index) => ({ ...each, load: `${each?.load}-${index}` }));
	return { items: [...items, ...others] as Driver[] };
};

const run = async (items: Driver[], rules: object, more: object = {}, callMode = 'live') => {
	const { credentials } = service;
	const parameters = {
		callMode,
		rules: { ...rules },
		options: { callsInParallel: 3, lookForLostAnswers: 0 },
	};
	return await dispatch.run(parameters, { items, credentials, ...more });
};

it('the second load of a driver waits until the call about the first has ended, and holds up no other driver', async () => {
	lastsMs = SECOND;
	const { items } = loads();
	const { items: rows } = await run(items, { samePhonePause: 1 });
	expect(rows.map(({ placement }) => placement)).toEqual(Array(5).fill('placed'));
	// In the order of the items, whenever each was called.
	expect(rows.map(({ loadNumber }) => loadNumber)).toEqual(items.map(({ load }) => load));
	const later = [items[1], items[2]].map((one) => one?.load);
	expect(requested.map(({ load }) => load).slice(3)).toEqual(later);
	const [first = 0, , last = 0, second = 0, third = 0] = requested.map(({ at }) => at);
	expect(last - first).toBeLessThan(SECOND);
	expect(second - first).toBeGreaterThanOrEqual(SECOND);
	expect(third - second).toBeGreaterThanOrEqual(SECOND);
	expect(third - first).toBeLessThan(15 * SECOND);
}, 30_000);

it('a call that does not end is waited for no longer than the pause', async () => {
	const { items } = loads();
	await run(items.slice(0, 2), { samePhonePause: 0.05 });
	const [first = 0, second = 0] = requested.map(({ at }) => at);
	expect(second - first).toBeGreaterThanOrEqual(2.5 * SECOND);
	expect(second - first).toBeLessThan(8 * SECOND);
}, 30_000);

it('a call that another execution placed counts', async () => {
	const { items } = loads();
	const saved = await dispatch.engine.credentials.save(service.credentials);
	const start = async (one: Driver | undefined) => {
		const parameters = { rules: { samePhonePause: 0.05 } };
		const execution = await dispatch.execution(parameters, { items: one ? [one] : [] });
		const call = execution.workflow.getNode('Call');
		if (call) call.credentials = saved;
		return await execution.start();
	};
	await Promise.all(items.slice(0, 2).map(start));
	const [first = 0, second = 0] = requested.map(({ at }) => at);
	expect(second - first).toBeGreaterThanOrEqual(2.5 * SECOND);
}, 30_000);

it('a call whose request got no response may be going on, and is waited for', async () => {
	service.loses = 'call';
	const { items } = loads();
	const node = { onError: 'continueRegularOutput' as const };
	await run(items.slice(0, 2), { samePhonePause: 0.05 }, { node });
	const [first = 0, second = 0] = requested.map(({ at }) => at);
	expect(second - first).toBeGreaterThanOrEqual(2.5 * SECOND);
}, 30_000);

it.each([
	['another extension of the number', 1, (index: number) => ` x20${index}`, 'live'],
	['a pause of 0', 0, () => '', 'live'],
	['a dry run', 1, () => '', 'dryRun'],
])('nothing is waited for with %s', async (_, samePhonePause, extension, mode) => {
	const { items } = loads();
	const begun = Date.now();
	const called = items.map((one, index) => ({ ...one, phone: one.phone + extension(index) }));
	const { items: rows } = await run(called, { samePhonePause }, {}, mode);
	expect(rows).toHaveLength(5);
	expect(Date.now() - begun).toBeLessThan(5 * SECOND);
});

it('Stop ends the wait, and the call is not placed', async () => {
	const { items } = loads();
	const stop = new AbortController();
	const running = run(items.slice(0, 2), { samePhonePause: 60 }, { signal: stop.signal });
	await waitUntil('a look at the list', () => service.pages.length > 0);
	stop.abort();
	await running;
	expect(requested).toHaveLength(1);
});

it('the number that the calls come from is not called', async () => {
	const first = await dispatch.run({}, { items: [driver()] });
	const phone = String(first.items[0]?.fromPhone);
	const { error } = await dispatch.run({}, { items: [{ ...driver(), phone }] });
	expect(error?.message).toMatch(
		/^No phone rang\. .* was not placed: it is the number that your calls come from/,
	);
	expect(dispatch.dialed()).toHaveLength(1);
});
