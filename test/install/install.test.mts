// n8n's own installer of community packages (n8n 2.41: community-packages.service.js), as the editor
// uses it. Without a license it installs from registry.npmjs.org only, so n8n and the npm that it starts
// reach a registry on loopback through a proxy, with a certificate of this test's own.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningN8n } from '../../playground/n8n/n8n.mts';
import { type JsonObject, recordsIn, textIn } from '../../playground/n8n/rest.mts';
import type { N8nSession } from '../../playground/n8n/session.mts';
import { PACKAGE_NAME } from '../../playground/setup/paths.mts';
import { type Sandbox, startSandbox } from '../../sandbox/index.mts';
import {
	type ServiceProxy,
	startServiceProxy,
} from '../e2e/examples/support/destinations/proxy.mts';
import { startPreparedN8n } from '../support/prepared-n8n.mts';
import { waitUntil } from '../support/wait-until.mts';
import { Registry } from './support/registry.mts';
import { packReleases } from './support/tarballs.mts';

const NODES = ['', 'PollingTrigger', 'Trigger'].map(
	(kind) => `${PACKAGE_NAME}.carrierLoadCommunications${kind}`,
);
const API = '/rest/community-packages';
const CREDENTIAL = { name: 'The service', type: 'carrierLoadCommunicationsApi' };

/** Makes each item of the action node say which version placed its call. */
const SAYS_ITS_VERSION = `
const { execute } = exports.CarrierLoadCommunications.prototype;
exports.CarrierLoadCommunications.prototype.execute = async function () {
	const outputs = await execute.call(this);
	for (const { json } of outputs.flat()) json.placedBy = '0.2.1';
	return outputs;
};
`;

const folder = mkdtempSync(join(tmpdir(), 'install-'));
let registry: Registry;
let proxy: ServiceProxy;
let sandbox: Sandbox;
let n8n: RunningN8n;
let session: N8nSession;
/** In use from the first version on. */
let calling: { id: string; url: string };
let receiving: { id: string; url: string };

beforeAll(async () => {
	registry = new Registry(packReleases({ '0.2.0': '', '0.2.1': SAYS_ITS_VERSION }));
	proxy = await startServiceProxy([registry]);
	const certificate = join(folder, 'certificate.pem');
	writeFileSync(certificate, proxy.certificate);
	sandbox = await startSandbox({ calls: 20, callDelayMs: Infinity });
	n8n = await startPreparedN8n({
		userFolder: join(folder, 'n8n'),
		// It writes the list of its nodes for the editor only.
		editor: true,
		env: {
			...{ HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1', NODE_EXTRA_CA_CERTS: certificate },
			// "npm outdated" is called without the registry's URL.
			npm_config_registry: `https://${registry.host}`,
			npm_config_globalconfig: join(folder, 'no-npmrc'),
			npm_config_update_notifier: 'false',
		},
	});
	session = await n8n.login();
});
afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	await proxy?.close();
	rmSync(folder, { recursive: true, force: true });
});

const installed = async () => recordsIn(await session.rest.send('list the packages', 'GET', API));

async function knownNodes(): Promise<string[]> {
	const types = recordsIn(await session.rest.send('list the nodes', 'GET', '/types/nodes.json'));
	const names = types.map((type) => textIn(type, 'name'));
	return [...new Set(names)].filter((name) => name.startsWith(PACKAGE_NAME)).sort();
}

/** Creates and publishes a workflow whose first node has a webhook. */
async function publish(path: string, nodes: JsonObject[], connections: JsonObject) {
	const given = { name: path, nodes, connections, settings: { executionOrder: 'v1' } };
	const id = textIn(await session.createWorkflow(given), 'id');
	await session.activate(id);
	const url = `${n8n.baseUrl}/webhook/${path}`;
	await waitUntil(`the webhook ${path}`, async () => await session.webhookIsRegistered(url));
	return { id, url };
}

async function publishCalling() {
	const path = randomUUID();
	const webhook = {
		...{ id: randomUUID(), name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
		...{ webhookId: path, position: [0, 0], parameters: { path, httpMethod: 'POST' } },
	};
	const call = {
		...{ id: randomUUID(), name: 'Call', type: NODES[0], typeVersion: 1, position: [200, 0] },
		credentials: { [CREDENTIAL.type]: { id: null, name: CREDENTIAL.name } },
		parameters: {
			...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 0 },
			...{ toPhone: '={{ $json.body.phone }}', loadNumber: '={{ $json.body.load }}' },
		},
	};
	const connections = { Webhook: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } };
	return await publish(path, [webhook, call], connections);
}

async function publishReceiving() {
	const webhookId = randomUUID();
	const trigger = {
		...{ id: randomUUID(), name: 'Event', type: NODES[2], typeVersion: 2, position: [0, 0] },
		...{ webhookId, parameters: { authentication: 'none' } },
	};
	return await publish(`${webhookId}/webhook`, [trigger], {});
}

/** Sends something to a workflow; resolves to its new execution when that has ended. */
async function send({ id, url }: { id: string; url: string }, body: object) {
	const before = (await session.executions.newest(id)).length;
	const headers = { 'content-type': 'application/json' };
	const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
	const said = await response.text();
	if (!response.ok) return { status: response.status, said, items: [] };
	let newest: JsonObject | undefined;
	await waitUntil('the execution', async () => {
		const all = await session.executions.newest(id);
		newest = all[0];
		return all.length > before && ['success', 'error'].includes(textIn(newest, 'status'));
	});
	const execution = textIn(newest, 'id');
	const { resultData } = await session.executions.data(execution);
	const runs = recordsIn(Object(Object(resultData)['runData']), 'Call');
	const items = [Object(runs.at(-1)?.['data'])['main']].flat(3);
	return {
		...{ status: textIn(newest, 'status'), said: await session.executions.error(execution) },
		items: items.map((item): unknown => Object(item)['json']),
	};
}

const driver = (line: string) => ({ phone: `+131255501${line}`, load: `I${line}` });
const event = () => ({ event: 'call.completed', data: { callId: randomUUID() } });
const dialed = () => sandbox.ledger.dialed().map(({ loadNumber }) => loadNumber);

it('is installed by n8n, and places calls and receives events', async () => {
	expect(await knownNodes()).toEqual([]);
	const body = { name: PACKAGE_NAME, version: '0.2.0' };
	const answer = await session.rest.send('install the package', 'POST', API, body);
	expect(recordsIn(answer, 'installedNodes').map(({ type }) => type)).toEqual(
		expect.arrayContaining(NODES),
	);
	expect(await knownNodes()).toEqual(expect.arrayContaining(NODES));

	const data = { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north };
	await session.createCredential({ ...CREDENTIAL, data });
	calling = await publishCalling();
	receiving = await publishReceiving();
	const { items } = await send(calling, driver('20'));
	expect(items).toEqual([expect.objectContaining({ placement: 'placed' })]);
	expect(items).toEqual([expect.not.objectContaining({ placedBy: expect.anything() })]);
	expect(await send(receiving, event())).toMatchObject({ status: 'success' });
	expect(dialed()).toEqual(['I20']);
});

it('is updated under published workflows, which keep their credential and what they called', async () => {
	expect(await installed()).toMatchObject([
		{ installedVersion: '0.2.0', updateAvailable: '0.2.1', failedLoading: false },
	]);
	const body = { name: PACKAGE_NAME, version: '0.2.1' };
	await session.rest.send('update the package', 'PATCH', API, body);
	expect(await installed()).toMatchObject([{ installedVersion: '0.2.1', failedLoading: false }]);

	const again = await send(calling, driver('20'));
	expect(again.items).toEqual([expect.objectContaining({ placement: 'skippedDuplicate' })]);
	const { items } = await send(calling, driver('21'));
	expect(items).toEqual([expect.objectContaining({ placement: 'placed', placedBy: '0.2.1' })]);
	expect(await send(receiving, event())).toMatchObject({ status: 'success' });
	expect(dialed()).toEqual(['I20', 'I21']);
});

it('is uninstalled: its nodes are gone, and workflows say so', async () => {
	await session.rest.send('uninstall the package', 'DELETE', `${API}?name=${PACKAGE_NAME}`);
	expect(await installed()).toEqual([]);
	expect(await knownNodes()).toEqual([]);
	// What n8n answers the sender of an event; it stores no execution.
	for (const [workflow, node] of [
		[calling, NODES[0]],
		[receiving, NODES[2]],
	] as const) {
		const said = expect.stringContaining(`Unrecognized node type: ${node}`);
		expect(await send(workflow, driver('22'))).toMatchObject({ said });
	}
	expect(dialed()).toEqual(['I20', 'I21']);
});

it('works again as it was when it is installed again', async () => {
	await session.rest.send('install the package', 'POST', API, { name: PACKAGE_NAME });
	expect(await installed()).toMatchObject([{ installedVersion: '0.2.1' }]);
	const { items } = await send(calling, driver('22'));
	expect(items).toEqual([expect.objectContaining({ placement: 'placed' })]);
	expect(await send(receiving, event())).toMatchObject({ status: 'success' });
	expect(dialed()).toEqual(['I20', 'I21', 'I22']);
	expect(registry.downloaded).toEqual(['0.2.0', '0.2.1', '0.2.1']);
	expect(registry.missing).toEqual([]);
});
