import { randomUUID } from 'node:crypto';
import { isGivenN8n } from '../../../../playground/n8n/choice.mts';
import { PACKAGE_NAME } from '../../../../playground/setup/paths.mts';
import { type Sandbox, startSandbox } from '../../../../sandbox/index.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { DUPLICATE, eventOf, post, send, signed, STARTED, tally } from '../support/events.mts';
import type { TriggersEnvironment } from '../support/triggers-environment.mts';

/** Triggers, URLs and executions beside each other. */
export function testNeighbors(environment: TriggersEnvironment): void {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ calls: 20, callDelayMs: Infinity });
		const data = { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north };
		await environment.session.createCredential({
			...{ name: 'The sandbox', type: 'carrierLoadCommunicationsApi', data },
		});
	});
	afterAll(async () => {
		await sandbox.close();
	});

	const place = (name: string, type: string, at: number) => ({
		...{ id: randomUUID(), name, type, typeVersion: 1, position: [at, 0] },
	});

	describe('an event of another call with the resume URL of a wait', () => {
		it("does not end the wait, and starts the trigger's workflow; the call's own event ends it", async () => {
			const events = await environment.activeTrigger();
			const name = 'The sandbox';
			const start = place('Start', 'n8n-nodes-base.webhook', 0);
			const call = place('Call', `${PACKAGE_NAME}.carrierLoadCommunications`, 200);
			const path = randomUUID();
			const { id } = await environment.session.createWorkflow({
				...{ name: 'Waits for its call', settings: { executionOrder: 'v1' } },
				nodes: [
					{ ...start, typeVersion: 2, webhookId: path, parameters: { path, httpMethod: 'POST' } },
					{
						...call,
						credentials: { carrierLoadCommunicationsApi: { id: null, name } },
						parameters: {
							...{
								resource: 'call',
								operation: 'triggerCheckCall',
								nextStopIndex: 0,
								rules: { samePhonePause: 0 },
							},
							...{ toPhone: '+13125550188', loadNumber: '48213' },
							...{ waitForOutcome: 'webhook', waitLimit: 30 },
						},
					},
				],
				connections: { Start: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
			});
			await environment.session.activate(String(id));
			const url = `${environment.baseUrl}/webhook/${path}`;
			await environment.registered(url);
			await send(url, post('{}'));
			const statusOf = async () => {
				const [execution = ''] = await environment.executionIds(String(id));
				return execution && (await environment.session.executions.status(execution));
			};
			await waitUntil('the wait', async () => (await statusOf()) === 'waiting');
			const { callId, metadata } = sandbox.ledger.dialed()[0] ?? {};
			expect(metadata).toHaveProperty('n8nResumeUrl');
			const ended = { event: 'call_ended', summary: 'On time.', metadata };

			const foreign = eventOf({ ...ended, callId: Number(callId) + 1 });
			expect(await tally(events.url, signed(foreign))).toMatchObject({ resumed: 0, started: 1 });
			expect(await statusOf()).toBe('waiting');
			const own = eventOf({ ...ended, callId });
			expect(await tally(events.url, signed(own))).toMatchObject({ resumed: 1, started: 0 });
			await waitUntil('its end', async () => (await statusOf()) === 'success');
			const [execution = ''] = await environment.executionIds(String(id));
			expect((await environment.itemsOf(execution, 'Call')).at(-1)).toMatchObject({
				...{ callId, timedOut: false, summary: 'On time.' },
			});
			expect(await environment.executionIds(events.id)).toHaveLength(1);
		});
	});

	// Only the editor's API makes the test URL listen.
	if (isGivenN8n()) return;
	describe('the test URL next to the production URL', () => {
		it('takes no event of the other, and neither counts as a duplicate of the other', async () => {
			const { id, url } = await environment.activeTrigger();
			const test = url.replace('/webhook/', '/webhook-test/');
			const listen = async () => {
				const run = { triggerToStartFrom: { name: 'Trigger' } };
				await environment.session.rest.send('listen', 'POST', `/rest/workflows/${id}/run`, run);
			};
			const count = async (expected: number) =>
				await waitUntil('it', async () => (await environment.executionCount(id)) === expected);
			const [one, other] = [eventOf(), eventOf()];

			await listen();
			expect(await tally(url, signed(one))).toEqual(STARTED);
			await count(1);
			// The test URL still listens, and does not know the event.
			expect(await tally(test, signed(one))).toEqual(STARTED);
			await count(2);
			expect(await tally(url, signed(one))).toEqual(DUPLICATE);

			await listen();
			expect(await tally(test, signed(other))).toEqual(STARTED);
			await count(3);
			expect(await tally(url, signed(other))).toEqual(STARTED);
			expect(await tally(url, signed(other))).toEqual(DUPLICATE);
			await count(4);
		});
	});
}
