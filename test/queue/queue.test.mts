import { Fleet, post, until } from './support/fleet.mts';

const fleet = new Fleet();
beforeAll(async () => await fleet.open('queue'), 600_000);
afterAll(async () => await fleet.close(), 120_000);
beforeEach(() => {
	fleet.sandbox.faults.clear();
	fleet.sandbox.ledger.clear();
});

let known = 0;
const driver = () => {
	const line = String(known++).padStart(2, '0');
	return { phone: `+1312555${`01${line}`}`, load: `Q${line}` };
};
const dialed = () => fleet.sandbox.ledger.dialed().map(({ toPhone }) => toPhone);
const ended = ({ status }: { status: string }) => status === 'success' || status === 'error';

it('two executions that race on two workers place one call', async () => {
	const { id, url } = await fleet.checkCallWorkflow({ options: { skipIfCalledWithin: 10 } });
	// Both have looked in the list before either dials.
	fleet.sandbox.faults.add({
		...{ endpoint: 'listCalls', times: 'always' },
		fault: { kind: 'latency', ms: 400 },
	});
	const rounds = 10;
	for (let round = 0; round < rounds; round++) {
		const one = driver();
		await Promise.all([post(url, one), post(url, one)]);
		const expected = 2 * (round + 1);
		await until(`both executions of round ${round}`, async () => {
			const executions = await fleet.executions(id);
			return executions.length === expected && executions.every(ended);
		});
		expect(dialed()).toHaveLength(round + 1);
	}
	const outcomes: unknown[] = [];
	for (const execution of await fleet.executions(id)) {
		outcomes.push((await fleet.calls(execution.id)).items[0]?.['outcome']);
	}
	expect(outcomes.filter((outcome) => outcome === 'placed')).toHaveLength(rounds);
	expect(outcomes.filter((outcome) => outcome === 'skippedDuplicate')).toHaveLength(rounds);
	expect(Math.min(...fleet.taken())).toBeGreaterThanOrEqual(rounds / 2);
}, 600_000);

it('executions that wait for their events free the workers, and go on with their outcomes', async () => {
	const waiting = await fleet.checkCallWorkflow({ waitForOutcome: 'webhook', waitLimit: 30 });
	const quick = await fleet.checkCallWorkflow({});
	const events = await fleet.eventWorkflow();
	fleet.sandbox.setWebhook({ url: events.url });
	// More of them than both workers can run at once.
	const drivers = [driver(), driver(), driver()];
	for (const one of drivers) await post(waiting.url, one);
	await until('three executions that wait', async () => {
		const executions = await fleet.executions(waiting.id);
		return executions.length === 3 && executions.every(({ status }) => status === 'waiting');
	});
	await post(quick.url, driver());
	await until('an execution beside those that wait', async () =>
		(await fleet.executions(quick.id)).some(({ status }) => status === 'success'),
	);
	expect((await fleet.executions(waiting.id)).map(({ status }) => status)).toEqual(
		Array(3).fill('waiting'),
	);

	await fleet.sandbox.finishCalls();
	await until('the outcomes', async () => (await fleet.executions(waiting.id)).every(ended));
	const loads: unknown[] = [];
	for (const { id } of await fleet.executions(waiting.id)) {
		const { items, runs } = await fleet.calls(id);
		expect(runs).toBe(1);
		expect(items[0]).toMatchObject({ outcome: 'placed', timedOut: false, status: 'COMPLETED' });
		expect(items[0]?.['summary']).toEqual(expect.any(String));
		loads.push(items[0]?.['loadNumber']);
	}
	expect(loads.sort()).toEqual(drivers.map(({ load }) => load));
	expect(dialed()).toHaveLength(4);
}, 600_000);
