import {
	OUTCOME_WORKFLOW,
	outcomeWebhookUrl,
	sampleEvent,
} from '../../../../playground/demo/sample-check-call.mts';
import { TMS_KEY, WEBHOOK_SECRET } from '../../../../playground/setup/import-examples.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { postEvent, type ExamplesEnvironment } from '../support/examples-environment.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';

const CLOCK = 'detentionClock';
/** Free time is two hours, and the call is due 15 minutes before its end. */
const DUE_AFTER_MS = 105 * 60_000;

let environment: ExamplesEnvironment;
let url: string;

const lostBefore = (state: string) => ({
	filters: {
		conditions: [
			{ keyName: 'state', condition: 'eq', keyValue: state },
			{ keyName: 'updatedAt', condition: 'lt', keyValue: '={{ $now.toISO() }}' },
		],
	},
});

/** An arrival whose call is due in this many milliseconds. */
function arrival(loadNumber: string, dueInMs: number) {
	const at = new Date(Date.now() + dueInMs - DUE_AFTER_MS).toISOString();
	const { timeZone, driver } = sampleEvent(loadNumber);
	return { event: 'arrived', loadNumber, stopIndex: 1, at, freeMinutes: 120, timeZone, driver };
}

const report = async (event: object) =>
	await postEvent(url, event, { [TMS_KEY.name]: TMS_KEY.value });
const stateOf = async (load: string) =>
	(await environment.rows('detention_clocks', load)).find(({ event }) => event === 'arrived')?.[
		'state'
	];
async function ended(load: string, state: string): Promise<void> {
	await waitUntil(`load ${load} to be ${state}`, async () => {
		if (environment.dialed(load).length > 0) await environment.sandbox.finishCalls();
		return (await stateOf(load)) === state;
	});
}

/** The detention clock. Kills n8n. */
export function testDetentionClock(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		environment = await n8n.import(
			[
				// What n8n lost counts as lost at once.
				{ of: CLOCK, as: 'lost', node: 'Clocks that n8n lost', set: lostBefore('waiting') },
				{ of: CLOCK, as: 'lost', node: 'Calls that n8n lost', set: lostBefore('calling') },
			],
			{ only: [CLOCK, OUTCOME_WORKFLOW] },
		);
		const { session, sandbox } = environment;
		url = await environment.publish(CLOCK, OUTCOME_WORKFLOW);
		sandbox.setWebhook({ url: await outcomeWebhookUrl(session), secret: WEBHOOK_SECRET });
	});

	afterAll(async () => await environment?.remove());

	describe('the detention clock in a real n8n', () => {
		it('does nothing without the header', async () => {
			expect(await postEvent(url, arrival('48401', 0), {})).toBe(403);
			expect(await environment.rows('detention_clocks')).toEqual([]);
		});

		it('calls once for an arrival that is sent three times, and saves the evidence', async () => {
			const event = arrival('48402', 4_000);
			expect(await Promise.all([report(event), report(event), report(event)])).toEqual([
				200, 200, 200,
			]);
			await ended('48402', 'done');
			const [call] = environment.dialed('48402');
			expect(environment.dialed('48402')).toMatchObject([{ body: { waitingAtFacility: true } }]);
			expect(Date.parse(String(call?.at))).toBeGreaterThanOrEqual(
				Date.parse(event.at) + DUE_AFTER_MS,
			);
			expect(await environment.rows('detention_evidence', '48402')).toMatchObject([
				{
					...{ arrivedAt: event.at, callId: String(call?.callId), phone: '+18155550142' },
					freeTimeEndsAt: new Date(Date.parse(event.at) + 120 * 60_000).toISOString(),
					calledAt: call?.at,
					summary: expect.stringContaining('checked in'),
					transcript: expect.stringContaining('Agent'),
					recordingUrl: expect.stringContaining(String(call?.callId)),
				},
			]);
			expect(await environment.rows('calls_to_make_by_hand', '48402')).toEqual([]);
			await report(event);
			await waitUntil('the late arrival to be removed', async () => {
				return (await environment.rows('detention_clocks', '48402')).length === 1;
			});
			expect(environment.dialed('48402')).toHaveLength(1);
		});

		it('calls nobody when the truck has left before', async () => {
			const event = arrival('48403', 8_000);
			await report(event);
			await report({ ...event, event: 'departed', at: new Date().toISOString() });
			await ended('48403', 'departed');
			const after = arrival('48404', 8_000);
			await report(after);
			await ended('48404', 'done');
			expect(environment.dialed('48403')).toEqual([]);
		});

		it('asks a person when the call cannot be placed', async () => {
			const event = arrival('48405', 0);
			await report({ ...event, driver: { name: 'Sam Ellis', phone: 'at the gate' } });
			await ended('48405', 'by hand');
			expect(await environment.rows('calls_to_make_by_hand', '48405')).toMatchObject([
				{ name: 'Sam Ellis', reason: expect.stringContaining('No phone rang') },
			]);
		});

		it('asks a person, once, and calls nobody, when n8n is killed while the clock runs', async () => {
			const event = arrival('48406', 30_000);
			await report(event);
			await waitUntil('the clock', async () => (await stateOf('48406')) === 'waiting');
			await environment.killAndRestart();
			for (let run = 0; run < 2; run++) {
				const execution = await environment.start('lost', 'Every 10 minutes');
				expect(await environment.waitForEnd(execution)).toBe('success');
			}
			await ended('48406', 'by hand');
			expect(await environment.rows('calls_to_make_by_hand', '48406')).toMatchObject([
				{ phone: '+18155550142', advice: expect.stringContaining('may have rung') },
			]);
			expect(environment.dialed('48406')).toEqual([]);
		});
	});
}
