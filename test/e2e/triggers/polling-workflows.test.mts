import { randomUUID } from 'node:crypto';
import { type JsonObject, textIn } from '../../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../../playground/setup/paths.mts';
import { ListService } from '../../engine/support/triggers/list-service.mts';
import { waitUntil } from '../../support/wait-until.mts';
import { eventOf, post, send } from './support/events.mts';
import { EVERY_20_SECONDS } from './support/poll-times.mts';
import { TriggersEnvironment } from './support/triggers-environment.mts';

const environment = new TriggersEnvironment();
const service = new ListService();
const credential = 'The service';

beforeAll(async () => {
	await service.open();
	await environment.open();
	await environment.session.createCredential({
		...{ name: credential, type: 'carrierLoadCommunicationsApi' },
		data: { baseUrl: service.baseUrl, accessToken: 'a-token-of-the-tests' },
	});
});
afterAll(async () => {
	await environment.close();
	await service.close();
});

const trigger = (name: string, event: string) => ({
	...{ id: randomUUID(), name, position: [0, 0], typeVersion: 1 },
	type: `${PACKAGE_NAME}.carrierLoadCommunicationsPollingTrigger`,
	parameters: { event, pollTimes: EVERY_20_SECONDS },
	credentials: { carrierLoadCommunicationsApi: { id: null, name: credential } },
});

const create = async (nodes: JsonObject[]) => {
	const name = `Poll ${randomUUID()}`;
	const settings = { executionOrder: 'v1' };
	const workflow = { name, nodes, connections: {}, settings };
	return textIn(await environment.session.createWorkflow(workflow), 'id');
};

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
	expect(JSON.stringify(staticData)).toContain('"lookedTo"');
	const body = JSON.stringify({ name, nodes, connections, settings, staticData });
	const imported = await send(url, { method: 'POST', headers, body });
	return textIn(JSON.parse(imported.text), 'id');
};

/** Publishes a workflow. n8n stores what its polling triggers remember once they have polled. */
const publish = async (id: string, ...triggers: string[]) => {
	await environment.session.activate(id);
	await waitUntil('the first polls', async () => {
		const { staticData } = Object(await environment.session.workflow(id));
		return triggers.every((name) => Object.hasOwn(Object(staticData), `node:${name}`));
	});
};

/** A call that was just made, with its summary. */
const list = (id: number) => {
	const made = Date.now();
	service.add(made, { id, createdAt: new Date(made).toISOString(), summary: 'said' });
};

/** IDs of the calls that a trigger has delivered. */
const seen = async (workflowId: string, node: string) => {
	const executions = await environment.executionIds(workflowId);
	const items = executions.map(async (one) => await environment.itemsOf(one, node));
	const ids = (await Promise.all(items)).flat().map((item) => Number(item['callId']));
	return ids.sort((one, other) => one - other);
};

const untilSeen = async (workflowId: string, node: string, id: number) =>
	await waitUntil(
		`${node}: ${id}`,
		async () => (await seen(workflowId, node)).includes(id),
		600_000,
	);

describe('two polling triggers in one workflow', () => {
	it('each deliver the same calls once, even across a restart and when one is renamed', async () => {
		const nodes = [trigger('Calls', 'newCall'), trigger('Outcomes', 'callOutcomeReady')];
		const id = await create(nodes);
		await publish(id, 'Calls', 'Outcomes');
		list(1);
		list(2);
		for (const name of ['Calls', 'Outcomes']) await untilSeen(id, name, 2);
		await environment.restart();
		list(3);
		for (const name of ['Calls', 'Outcomes']) await untilSeen(id, name, 3);

		const stored = (await environment.session.workflow(id))?.['nodes'];
		const [calls, outcomes] = stored as JsonObject[];
		const versionId = textIn(await environment.session.workflow(id), 'versionId');
		const renamed = { versionId, nodes: [{ ...calls, name: 'New calls' }, outcomes] };
		await environment.session.rest.send('rename it', 'PATCH', `/rest/workflows/${id}`, renamed);
		await publish(id, 'New calls', 'Outcomes');
		list(4);
		for (const name of ['New calls', 'Outcomes']) await untilSeen(id, name, 4);
		const { requests } = service;
		await waitUntil('two more polls', () => service.requests > requests + 4, 600_000);
		expect(await seen(id, 'Calls')).toEqual([1, 2, 3]);
		expect(await seen(id, 'New calls')).toEqual([4]);
		expect(await seen(id, 'Outcomes')).toEqual([1, 2, 3, 4]);
		await environment.session.deactivate(id);
	});
});

describe('a copy of a workflow, with the same node IDs,', () => {
	it('starts anew, or continues if static data was imported, and shares no memory', async () => {
		const nodes = [trigger('Calls', 'newCall')];
		const [original, copy] = [await create(nodes), await create(nodes)];
		await publish(original, 'Calls');
		list(11);
		await untilSeen(original, 'Calls', 11);
		await publish(copy, 'Calls');
		list(12);
		for (const id of [original, copy]) await untilSeen(id, 'Calls', 12);

		const imported = await reimport(original);
		list(13);
		for (const id of [original, copy]) await untilSeen(id, 'Calls', 13);
		await publish(imported, 'Calls');
		for (const id of [original, copy, imported]) await untilSeen(id, 'Calls', 13);
		const { requests } = service;
		await waitUntil('two more polls', () => service.requests > requests + 6, 600_000);
		expect(await seen(original, 'Calls')).toEqual([11, 12, 13]);
		expect(await seen(copy, 'Calls')).toEqual([12, 13]);
		expect(await seen(imported, 'Calls')).toEqual([13]);
	});
});

describe('both triggers in one workflow', () => {
	it('forget events at a restart if the polling trigger was the last to start an execution', async () => {
		const webhookId = randomUUID();
		const id = await create([
			trigger('Calls', 'newCall'),
			{
				...{ id: randomUUID(), name: 'Events', position: [0, 200], typeVersion: 2, webhookId },
				type: `${PACKAGE_NAME}.carrierLoadCommunicationsTrigger`,
				parameters: { authentication: 'none' },
			},
		]);
		await publish(id, 'Calls');
		const url = () => `${environment.baseUrl}/webhook/${webhookId}/webhook`;
		await environment.registered(url());
		const started = async (body: string) => {
			const { text } = await send(url(), post(body));
			return Object(JSON.parse(text)).started;
		};
		const [early, late] = [eventOf(), eventOf()];
		expect([await started(early), await started(early)]).toEqual([1, 0]);
		list(21);
		await untilSeen(id, 'Calls', 21);
		expect(await started(early)).toBe(0);
		await environment.restart();
		await environment.registered(url());
		expect([await started(early), await started(late), await started(late)]).toEqual([1, 1, 0]);
		list(22);
		await untilSeen(id, 'Calls', 22);
		expect(await seen(id, 'Calls')).toEqual([21, 22]);
	});
});
