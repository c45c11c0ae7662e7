import type { INodeParameters } from 'n8n-workflow';
import { driver, statusFault } from '../../support/calls/dispatch.mts';
import { MINUTE, setClock, start, stopClock } from '../../support/triggers/simulated-clock.mts';
import { hoursRule, useDispatch } from '../../support/calls/use-dispatch.mts';

// A service that answers 429 may let a call wait for minutes, in which the reason to place it can go.

const dispatch = useDispatch();
beforeEach(() => {
	stopClock();
});
afterEach(() => void jest.useRealTimers());

const requests = () => dispatch.sandbox.ledger.requests('triggerCheckCall');

/** The service asks to wait, and meanwhile something happens. */
async function throttled(
	parameters: INodeParameters,
	meanwhile: (called: ReturnType<typeof driver>) => void,
) {
	const called = driver();
	dispatch.fail(statusFault(429, { retryAfter: 0.2 }));
	const running = dispatch.run(parameters, { items: [called] });
	while (requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
	meanwhile(called);
	return { ...(await running), called };
}

/** Within the five minutes for which it is tried. */
const threeMinutesLater = () => setClock(start + 3 * MINUTE);
/** It is noon. */
const untilTwoPast = { from: '11:00', to: '12:02', zone: "={{ 'UTC' }}" };

describe('a call that the service delays with 429', () => {
	it('is placed if nothing has changed meanwhile', async () => {
		const { items } = await throttled(
			{ rules: { ...hoursRule(untilTwoPast), skipIfCalledWithin: 10 } },
			() => {},
		);
		expect(items).toMatchObject([{ placement: 'placed' }]);
		expect(requests()).toHaveLength(2);
	});

	it('is not requested again after the calling hours', async () => {
		const { error } = await throttled({ rules: hoursRule(untilTwoPast) }, threeMinutesLater);
		expect(error?.message).toMatch(/^No phone rang\. .* outside the calling hours/);
		expect(requests()).toHaveLength(1);
		expect(dispatch.dialed()).toEqual([]);
	});

	it('is skipped after the calling hours if Outside the Hours is Skip', async () => {
		const rules = hoursRule({ ...untilTwoPast, outside: 'skip' });
		const { items } = await throttled({ rules }, threeMinutesLater);
		expect(items).toMatchObject([{ placement: 'outsideHours' }]);
		expect(requests()).toHaveLength(1);
	});

	it("then doesn't count toward Max Calls per Hour", async () => {
		const rules = { ...hoursRule({ ...untilTwoPast, outside: 'skip' }), maxCallsPerHour: 1 };
		await throttled({ rules }, threeMinutesLater);
		setClock(start);
		const { items } = await dispatch.run({ rules });
		expect(items).toMatchObject([{ placement: 'placed' }]);
	});

	it('is skipped if someone else has placed it meanwhile', async () => {
		const place = ({ e164: toPhone, load: loadId }: ReturnType<typeof driver>) => {
			dispatch.sandbox.insert({ toPhone, loadId });
		};
		const { items } = await throttled({ rules: { skipIfCalledWithin: 10 } }, place);
		expect(items).toMatchObject([{ placement: 'skippedDuplicate' }]);
		expect(requests()).toHaveLength(1);
	});

	it('counts for Skip If Called Within from when it was placed', async () => {
		const twoMinutes = { rules: { skipIfCalledWithin: 2 } };
		const { items, called } = await throttled(twoMinutes, threeMinutesLater);
		expect(items).toMatchObject([{ placement: 'placed' }]);
		setClock(start + 4 * MINUTE);
		const again = await dispatch.run(twoMinutes, { items: [called] });
		expect(again.items).toMatchObject([{ placement: 'skippedDuplicate' }]);
		expect(again.items[0]?.placementReason).toMatch('placed 1 minute ago');
		expect(requests()).toHaveLength(2);
	});

	it('counts for Skip If Called Within also if its response is lost', async () => {
		const parameters = { rules: { skipIfCalledWithin: 4 }, options: { lookForLostAnswers: 0 } };
		const { error, called } = await throttled(parameters, () => {
			dispatch.fail({ kind: 'reset', when: 'before' });
			threeMinutesLater();
		});
		expect(error?.message).toMatch(/^The phone may have rung\./);
		setClock(start + 5.5 * MINUTE);
		const again = await dispatch.run(parameters, { items: [called] });
		expect(again.error?.message).toMatch(/^No phone rang\. .* was not placed$/);
		expect(requests()).toHaveLength(2);
	});
});
