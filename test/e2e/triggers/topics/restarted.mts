import { randomUUID } from 'node:crypto';
import { PACKAGE_NAME } from '../../../../playground/setup/paths.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { deliver, DUPLICATE, eventOf, post, STARTED, tally } from '../support/events.mts';
import { SharedRestart } from '../support/shared-restart.mts';
import type { TriggersEnvironment } from '../support/triggers-environment.mts';

/** What the trigger remembers when n8n is restarted. */
export function testRestarted(environment: TriggersEnvironment): void {
	const shared = new SharedRestart(async () => await environment.restart());

	it.concurrent(
		'two triggers in one workflow each start with their own events, and each remember only those, even across a restart',
		shared.among(async (restarted) => {
			const names = ['Dispatch', 'Sales'];
			const paths = names.map(() => randomUUID());
			const nodes = names.map((name, nth) => ({
				...{ id: randomUUID(), name, position: [200 * nth, 0], typeVersion: 2 },
				...{ type: `${PACKAGE_NAME}.carrierLoadCommunicationsTrigger`, webhookId: paths[nth] },
				parameters: { authentication: 'none' },
			}));
			const { id } = await environment.session.createWorkflow({
				...{ name: 'Two triggers', nodes, connections: {}, settings: { executionOrder: 'v1' } },
			});
			await environment.session.activate(String(id));
			const urls = () => paths.map((path) => `${environment.baseUrl}/webhook/${path}/webhook`);
			for (const url of urls()) await environment.registered(url);
			const body = eventOf();
			const deliverToBoth = async () => {
				const answers: object[] = [];
				for (const url of urls()) answers.push(await tally(url, post(body)));
				return answers;
			};
			expect(await deliverToBoth()).toEqual([STARTED, STARTED]);
			expect(await deliverToBoth()).toEqual([DUPLICATE, DUPLICATE]);
			await waitUntil('both', async () => (await environment.executionCount(String(id))) === 2);
			const executions = await environment.executionIds(String(id));
			const runs = async (name: string) => {
				const items = executions.map(async (one) => await environment.itemsOf(one, name));
				return (await Promise.all(items)).flat().length;
			};
			expect([await runs('Dispatch'), await runs('Sales')]).toEqual([1, 1]);
			await restarted();
			for (const url of urls()) await environment.registered(url);
			expect(await deliverToBoth()).toEqual([DUPLICATE, DUPLICATE]);
		}),
	);

	it.concurrent(
		'events start once when each is delivered several times at once, and again after a restart',
		shared.among(async (restarted) => {
			const { id, url } = await environment.activeTrigger();
			// Few enough for n8n: a write to SQLite that waits for over 60 s fails, and then n8n 2.41 may
			// leave an execution that it runs at its next start, although it answered 500.
			const bodies = Array.from({ length: 20 }, () => eventOf());
			const deliveries = Array.from({ length: 5 }, () => bodies).flat();
			const answers = await Promise.all(deliveries.map(async (body) => await deliver(url, body)));
			expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
			await waitUntil('the executions', async () => (await environment.executionCount(id)) === 20);

			// Of simultaneous requests, the last one's static data wins. The next event saves all of it.
			await deliver(url, eventOf());
			await restarted();
			const again = url.replace(/^http:\/\/[^/]+/, environment.baseUrl);
			await environment.registered(again);
			const repeated = await Promise.all(
				bodies.map(async (body) => JSON.parse((await deliver(again, body)).text) as object),
			);
			expect(repeated).toEqual(
				bodies.map(() => expect.objectContaining({ duplicates: 1, started: 0 })),
			);
			expect(await environment.executionIds(id)).toHaveLength(21);
		}),
	);
}
