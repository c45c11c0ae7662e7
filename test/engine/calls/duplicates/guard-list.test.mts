import { driver, drivers } from '../../support/calls/dispatch.mts';
import { openListService } from '../../support/calls/list-service.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

const guarded = { rules: { skipIfCalledWithin: 10 }, options: { lookForLostAnswers: 0 } };

async function until(holds: () => boolean) {
	while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('Calls per Minute', () => {
	it('does not repeat a call that was listed while the item waited for its turn', async () => {
		const [first, second] = drivers(2);
		if (!first || !second) throw new Error('no drivers');
		const running = dispatch.run(
			{ ...guarded, options: { callsPerMinute: 50 } },
			{ items: [first, second] },
		);
		await until(() => dispatch.dialed().length === 1);
		const [colleagues] = dispatch.sandbox.insert({ toPhone: second.e164, loadId: second.load });
		const { items } = await running;
		expect(items.map(({ placement }) => placement)).toEqual(['placed', 'skippedDuplicate']);
		expect(items[1]).toMatchObject({ callId: colleagues });
		expect(dispatch.dialed()).toEqual([first.e164]);
	});
});

describe('on a busy account', () => {
	let firstId = 0;

	/** A service where someone else's call arrives with each page that is read. */
	async function openBusyService(order: 'oldest first' | 'newest first' = 'oldest first') {
		// IDs of a test before are written again a second after its end.
		const placedId = (firstId += 5000);
		const service = await openListService(({ toPhone, loadNumber }, index) => ({
			...{ id: placedId + index, createdAt: new Date().toISOString(), toPhone },
			loadIds: [loadNumber],
		}));
		if (order === 'newest first') {
			service.calls.push = (...rows) => service.calls.unshift(...rows);
		}
		const start = Date.now() - 5 * 60_000;
		for (let row = 0; row < 1200; row++) addRow(start + row * 10);
		function addRow(at: number) {
			service.calls.push({
				...{ id: 100_000 * placedId + service.calls.length, createdAt: new Date(at).toISOString() },
				...{ toPhone: '+13125550199', loadIds: ['other'] },
			});
		}
		const read = service.pages.push.bind(service.pages);
		service.pages.push = (...rows) => {
			for (let more = 0; more < 20; more++) addRow(Date.now());
			return read(...rows);
		};
		return Object.assign(service, { addRow, placedId });
	}

	const orders = ['oldest first', 'newest first'] as const;

	it.each(orders)('places all 3 calls while the list grows with each page, %s', async (order) => {
		const service = await openBusyService(order);
		const { credentials } = service;
		const { items, error } = await dispatch.run(guarded, { items: drivers(3), credentials });
		await service.close();
		expect(error).toBeUndefined();
		expect(items.map(({ placement }) => placement)).toEqual(['placed', 'placed', 'placed']);
		expect(service.pages.length).toBeGreaterThan(2);
	});

	it.each(orders)('finds the call whose response was lost, %s', async (order) => {
		const service = await openBusyService(order);
		service.loses = 'response';
		// More than a page of calls at the time of the request.
		for (let age = 1200; age > 0; age--) service.addRow(Date.now() - age);
		const { credentials } = service;
		const { items, error } = await dispatch.run({}, { credentials });
		await service.close();
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ placement: 'reconciled', callId: service.placedId }]);
		expect(service.pages.length).toBeGreaterThan(2);
	});

	it('still finds the earlier call in the list', async () => {
		const service = await openBusyService();
		const one = driver();
		service.calls.push({
			...{ id: service.placedId, createdAt: new Date(Date.now() - 60_000).toISOString() },
			...{ toPhone: one.e164, loadIds: [one.load] },
		});
		const { credentials } = service;
		const { items } = await dispatch.run(guarded, { items: [one], credentials });
		await service.close();
		expect(items[0]).toMatchObject({ placement: 'skippedDuplicate', callId: service.placedId });
	});
});

describe("without n8n's table of processed data", () => {
	it("says in the output that duplicates from other executions can't be noticed", async () => {
		dispatch.processedData.broken = true;
		const { items, hints } = await dispatch.run(guarded);
		expect(items[0]).toMatchObject({ placement: 'placed' });
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/could not be reserved in n8n's database \(No connection to the database\)/,
			),
		]);
	});

	it('shows the hint also if the table works again before the run ends', async () => {
		dispatch.processedData.broken = true;
		const running = dispatch.run(guarded);
		await until(() => dispatch.dialed().length === 1);
		dispatch.processedData.broken = false;
		expect((await running).hints).toHaveLength(1);
	});

	it('places the call if only the look at what was noted fails', async () => {
		const { processedData } = dispatch;
		const record = processedData.checkProcessedAndRecord.bind(processedData);
		const table = jest.spyOn(processedData, 'checkProcessedAndRecord');
		let failures = 0;
		table.mockImplementation(async (entries, ...given) => {
			// It looks for one entry. The node tries again at once; nodes of other tests write several.
			const isLook = entries.length === 1 && ++failures <= 2;
			if (isLook) throw new Error('The database is locked');
			return await record(entries, ...given);
		});
		const { items, hints } = await dispatch.run(guarded);
		table.mockRestore();
		expect(items).toMatchObject([{ placement: 'placed' }]);
		expect(hints).toHaveLength(1);
		expect(failures).toBeGreaterThanOrEqual(2);
	});
});

describe('when the time of Skip If Called Within is over', () => {
	const MINUTE = 60_000;
	afterEach(() => jest.restoreAllMocks());

	/** Runs at this many minutes of the clock; n8n's table keeps a reservation for 10 to 20. */
	async function at(minutes: number, how: { minutes: number; isListed: boolean }) {
		const start = Math.ceil(Date.now() / (20 * MINUTE)) * 20 * MINUTE;
		const service = await openListService(({ toPhone, loadNumber }, index) => ({
			...{ id: 5_000_000 + index, createdAt: new Date(Date.now()).toISOString(), toPhone },
			loadIds: how.isListed ? [loadNumber] : [],
		}));
		const clock = jest.spyOn(Date, 'now');
		const items = [driver()];
		const { credentials } = service;
		const parameters = { ...guarded, rules: { skipIfCalledWithin: how.minutes } };
		clock.mockReturnValue(start + MINUTE);
		await dispatch.run(parameters, { items, credentials });
		dispatch.restartProcess();
		clock.mockReturnValue(start + minutes * MINUTE);
		const again = await dispatch.run(parameters, { items, credentials });
		await service.close();
		return again;
	}

	it.each([
		[10, 12],
		[10, 19],
		[5, 7],
		[30, 32],
	])('of %i minutes, a call of minute 1 is placed again in minute %i', async (minutes, again) => {
		const { items, error } = await at(again, { minutes, isListed: true });
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ placement: 'placed' }]);
	});
});

it('a list of more than 50,000 calls is read before each call, with a hint', async () => {
	const service = await openListService(({ toPhone }) => {
		return { id: 1, toPhone, createdAt: new Date().toISOString() };
	});
	const begun = Date.now();
	for (let index = 0; index <= 50_000; index++) {
		const createdAt = new Date(begun - 10_000 - index * 1000).toISOString();
		service.calls.push({ id: 1000 + index, toPhone: '+14155550100', loadIds: ['L'], createdAt });
	}
	const { credentials } = service;
	const { items, hints } = await dispatch.run(
		{ ...guarded, rules: { skipIfCalledWithin: 1440 } },
		{ items: drivers(1), credentials },
	);
	await service.close();
	expect(items).toMatchObject([{ placement: 'placed' }]);
	expect(hints.map(({ message }) => message).join()).toMatch(
		'The call list has more than 50,000 calls in the time that this node looks back to',
	);
}, 180_000);
