import { randomUUID } from 'node:crypto';
import { recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../../../playground/setup/paths.mts';
import { eventOf, post, send } from '../support/events.mts';
import { PolledList } from '../support/polled-list.mts';
import type { SharedRestart } from '../support/shared-restart.mts';
import type { TriggersEnvironment } from '../support/triggers-environment.mts';

/** Polling triggers beside others. */
export function testPollingWorkflows(
	environment: TriggersEnvironment,
	shared: SharedRestart,
): void {
	const ofTwo = new PolledList(environment);
	const ofCopies = new PolledList(environment);
	const ofBoth = new PolledList(environment);
	const lists = [ofTwo, ofCopies, ofBoth];
	beforeAll(async () => {
		for (const list of lists) await list.open();
	});
	afterAll(async () => {
		for (const list of lists) await list.close();
	});

	/** A second workflow as n8n's API exports and imports it: with static data, unlike the editor. */
	const reimport = async (id: string) => {
		const { session, baseUrl } = environment;
		const scopes = ['workflow:read', 'workflow:create'];
		const key = { label: randomUUID(), expiresAt: null, scopes };
		const created = await session.rest.send('create an API key', 'POST', '/rest/api-keys', key);
		const headers = {
			...{ 'X-N8N-API-KEY': textIn(created, 'rawApiKey'), 'Content-Type': 'application/json' },
		};
		const url = `${baseUrl}/api/v1/workflows`;
		const exported = await send(`${url}/${id}`, { headers });
		const { name, nodes, connections, settings, staticData } = JSON.parse(exported.text);
		expect(JSON.stringify(staticData)).toContain('"readTo"');
		const body = JSON.stringify({ name, nodes, connections, settings, staticData });
		const imported = await send(url, { method: 'POST', headers, body });
		return textIn(JSON.parse(imported.text), 'id');
	};

	it.concurrent(
		'two in one workflow each deliver the same calls once, even across a restart and when one is renamed',
		shared.among(async (restarted) => {
			const { workflows } = ofTwo;
			const seen = async (name: string) => await workflows.delivered(id, name);
			const nodes = [workflows.trigger('Calls'), workflows.trigger('Outcomes', 'callOutcomeReady')];
			const id = await workflows.create(nodes);
			await ofTwo.publish(id, 'Calls', 'Outcomes');
			ofTwo.list(1);
			ofTwo.list(2);
			for (const name of ['Calls', 'Outcomes']) await ofTwo.untilSeen(id, name, 2);
			await restarted();
			ofTwo.list(3);
			for (const name of ['Calls', 'Outcomes']) await ofTwo.untilSeen(id, name, 3);

			const { session } = environment;
			const [calls, outcomes] = recordsIn(await session.workflow(id), 'nodes');
			const versionId = textIn(await session.workflow(id), 'versionId');
			const renamed = { versionId, nodes: [{ ...calls, name: 'New calls' }, outcomes] };
			await session.rest.send('rename it', 'PATCH', `/rest/workflows/${id}`, renamed);
			await ofTwo.publish(id, 'New calls', 'Outcomes');
			ofTwo.list(4);
			for (const name of ['New calls', 'Outcomes']) await ofTwo.untilSeen(id, name, 4);
			await ofTwo.untilPolled(5);
			expect(await seen('Calls')).toEqual([1, 2, 3]);
			expect(await seen('New calls')).toEqual([4]);
			expect(await seen('Outcomes')).toEqual([1, 2, 3, 4]);
			await session.deactivate(id);
		}),
	);

	it.concurrent(
		'a copy of a workflow, with the same node IDs, starts fresh, or continues if static data was imported, and shares no memory',
		shared.among(async (restarted) => {
			const { workflows } = ofCopies;
			const seen = async (id: string) => await workflows.delivered(id, 'Calls');
			const nodes = [workflows.trigger('Calls')];
			const [original, copy] = [await workflows.create(nodes), await workflows.create(nodes)];
			await ofCopies.publish(original, 'Calls');
			// Its part in the restart: requests would fail while n8n is down.
			await restarted();
			ofCopies.list(11);
			await ofCopies.untilSeen(original, 'Calls', 11);
			await ofCopies.publish(copy, 'Calls');
			ofCopies.list(12);
			for (const id of [original, copy]) await ofCopies.untilSeen(id, 'Calls', 12);

			const imported = await reimport(original);
			ofCopies.list(13);
			for (const id of [original, copy]) await ofCopies.untilSeen(id, 'Calls', 13);
			await ofCopies.publish(imported, 'Calls');
			for (const id of [original, copy, imported]) await ofCopies.untilSeen(id, 'Calls', 13);
			await ofCopies.untilPolled(7);
			expect(await seen(original)).toEqual([11, 12, 13]);
			expect(await seen(copy)).toEqual([12, 13]);
			expect(await seen(imported)).toEqual([13]);
		}),
	);

	it.concurrent(
		'beside a webhook trigger in one workflow, events are forgotten at a restart if the polling trigger was the last to start an execution',
		shared.among(async (restarted) => {
			const { workflows } = ofBoth;
			const webhookId = randomUUID();
			const id = await workflows.create([
				workflows.trigger('Calls'),
				{
					...{ id: randomUUID(), name: 'Events', position: [0, 200], typeVersion: 2, webhookId },
					type: `${PACKAGE_NAME}.carrierLoadCommunicationsTrigger`,
					parameters: { authentication: 'none' },
				},
			]);
			await ofBoth.publish(id, 'Calls');
			const url = () => `${environment.baseUrl}/webhook/${webhookId}/webhook`;
			await environment.registered(url());
			const started = async (body: string) => {
				const { text } = await send(url(), post(body));
				return Object(JSON.parse(text)).started;
			};
			const [early, late] = [eventOf(), eventOf()];
			expect([await started(early), await started(early)]).toEqual([1, 0]);
			ofBoth.list(21);
			await ofBoth.untilSeen(id, 'Calls', 21);
			expect(await started(early)).toBe(0);
			await restarted();
			await environment.registered(url());
			expect([await started(early), await started(late), await started(late)]).toEqual([1, 1, 0]);
			ofBoth.list(22);
			await ofBoth.untilSeen(id, 'Calls', 22);
			expect(await workflows.delivered(id, 'Calls')).toEqual([21, 22]);
		}),
	);
}
