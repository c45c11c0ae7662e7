import type { Sandbox } from '../../../sandbox/index.mts';
import { openPolls } from '../support/triggers/polled-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openSandbox, trigger } = openPolls();

describe('the first poll', () => {
	it('returns no history, and the next ones return what is new', async () => {
		const sandbox = await openSandbox();
		const calls = trigger({ event: 'newCall' });
		expect(await calls.ids()).toEqual([]);
		setClock(start + MINUTE);
		const [id] = sandbox.insert({});
		expect(await calls.ids()).toEqual([id]);
		expect(await calls.ids()).toEqual([]);
	});
});

describe('Output: Simplified', () => {
	it.each(['newCall', 'newConversation', 'newBid'])(
		"of %s has the time by the workflow's clock before the ISO time",
		async (event) => {
			await openSandbox();
			const { items = [] } = await trigger({ event, output: 'simplified' }).poll('manual');
			expect(items).toHaveLength(5);
			for (const item of items) {
				expect(Object.keys(item).slice(0, 2)).toEqual(['localTime', 'createdAt']);
				expect(item.localTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d \S+$/);
			}
		},
	);
});

describe('a test run in the editor', () => {
	it.each(['newCall', 'callOutcomeReady', 'newConversation', 'newBid'])(
		'of %s shows the newest records, and changes nothing',
		async (event) => {
			await openSandbox();
			const { poll, size } = trigger({ event });
			const { items = [] } = await poll('manual');
			expect(items).toHaveLength(5);
			const times = items.map(({ createdAt, callDateTime }) => String(createdAt ?? callDateTime));
			expect(times).toEqual([...times].sort().reverse());
			expect(size()).toBe(2);
		},
	);

	it('shows an error in the editor when there is no record', async () => {
		await openSandbox();
		const { error } = await trigger({ event: 'newCall', filters: { loadId: 'none' } }).poll(
			'manual',
		);
		expect(error).toMatchObject({ message: expect.stringContaining('no new calls') });
	});
});

describe('a new bid', () => {
	it('is returned once although it has no ID', async () => {
		const sandbox = await openSandbox();
		const bids = trigger({ event: 'newBid' });
		await bids.poll();
		setClock(start + MINUTE);
		sandbox.insert({ count: 3 });
		expect(await bids.ids('callDateTime')).toEqual([2, 1, 0].map((ago) => iso(clock.now - ago)));
		setClock(start + 2 * MINUTE);
		expect(await bids.ids()).toEqual([]);
	});
});

describe('filters', () => {
	it.each([
		["are the same as the list's", { loadId: '48213' }],
		['can be one expression', "={{ ({ loadId: '48213' }) }}"],
	])('%s', async (_case, filters) => {
		const sandbox = await openSandbox();
		const calls = trigger({ event: 'newCall', filters });
		await calls.poll();
		setClock(start + MINUTE);
		sandbox.insert({ loadId: '77001' });
		const [id] = sandbox.insert({ loadId: '48213' });
		expect(await calls.ids()).toEqual([id]);
		expect(sandbox.ledger.requests('listCalls').at(-1)?.query).toMatchObject({ loadId: '48213' });
	});

	it.each([
		[{ filters: "={{ ({ load: '48213' }) }}" }, 'Filters has no field "load"'],
		[{ filters: { loadId: '={{ $vars.missing }}' } }, 'Load ID is empty: its expression'],
		[{ options: '={{ ({ overlap: 5 }) }}' }, 'Options has no field "overlap"'],
		[
			{ options: '={{ ({ giveUpHours: 0 }) }}' },
			'Give Up on a Call After (Hours) must be 1 or more',
		],
	])('and options from one expression are checked: %j', async (parameters, message) => {
		await openSandbox();
		const { error } = await trigger({ event: 'newCall', ...parameters }).poll();
		expect(error).toMatchObject({ message: expect.stringContaining(message) });
	});
});

describe('the outcome of a call', () => {
	const place = async (sandbox: Sandbox) => {
		const body = { toPhone: '+13125550188', nextStopIndex: 0, loadNumber: '48213' };
		await fetch(`${sandbox.baseUrl}/api/v1/track-and-trace/trigger-check-call`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${sandbox.tokens.north}`,
				'content-type': 'application/json',
			},
			body: JSON.stringify(body),
		});
		return sandbox.ledger.dialed().at(-1)?.callId;
	};

	it('is returned once, even if it comes later than the overlap', async () => {
		const sandbox = await openSandbox();
		const outcomes = trigger({ event: 'callOutcomeReady' });
		await outcomes.poll();
		for (const wait of [2 * MINUTE, 3 * HOUR]) {
			setClock(clock.now + MINUTE);
			const id = await place(sandbox);
			expect(await outcomes.ids()).toEqual([]);
			for (let passed = 0; passed < wait; passed += wait / 4) {
				setClock(clock.now + wait / 4);
				expect(await outcomes.ids()).toEqual([]);
			}
			await sandbox.finishCalls();
			const seen: unknown[] = [];
			for (let minute = 0; minute < 65; minute++) {
				setClock(clock.now + MINUTE);
				seen.push(...(await outcomes.ids()));
			}
			expect(seen).toEqual([id]);
		}
	});

	it('is no longer looked for after the time the user sets', async () => {
		const sandbox = await openSandbox();
		const outcomes = trigger({ event: 'callOutcomeReady' });
		await outcomes.poll();
		await place(sandbox);
		await outcomes.poll();
		setClock(start + 25 * HOUR);
		sandbox.insert({ createdAt: iso(clock.now - 2 * HOUR) });
		await outcomes.poll();
		setClock(start + 26 * HOUR);
		await outcomes.poll();
		await sandbox.finishCalls();
		setClock(start + 27 * HOUR);
		expect(await outcomes.ids()).toEqual([]);
	});
});
