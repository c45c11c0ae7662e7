import { dirname, join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { core, repositoryRoot } from '../support/harness/n8n.mts';
import { expectSchemaOf } from '../support/operations/output-schema.mts';
import { openPolls } from '../support/triggers/polled-trigger.mts';
import { senderTo } from '../support/triggers/webhook-sender.mts';

// n8n's assistant reads a trigger's schema (n8n-core 2.41.1, output-schema-resolver.js).

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());
const send = senderTo(() => engine);
const { openSandbox, trigger } = openPolls();

const event = {
	...{ event: 'call_ended', callId: 100482, createdAt: '2026-11-20T14:05:00Z' },
	recordingUrl: 'https://calls.example.com/recordings/100482.wav',
	summary: 'Arrived at 1 PM after a flat tire. Asked not to be called again.',
	extractedData: {
		...{ eta: '3 PM', arrivedAt: '1 PM', delayed: true, delayMinutes: 45 },
		...{ delayReason: 'flat tire', offeredRate: 1850, optOut: true },
	},
	inputData: { toPhone: '+13125550188', metadata: { loadNumber: '48213' } },
};

const schemas = {
	CarrierLoadCommunicationsTrigger: 'v2.0.0/output.json',
	CarrierLoadCommunicationsPollingTrigger: 'v1.0.0/output.json',
};
type Trigger = keyof typeof schemas;

const typeName = (node: Trigger) => node.replace('C', 'c');
const schemaOf = (node: Trigger) => join(node, '__schema__', schemas[node]);

const description = (node: Trigger) => {
	const type = `n8n-nodes-carrier-load-communications.${typeName(node)}`;
	return engine.types.getByNameAndVersion(type).description;
};
/** The harness has defaults of its own. */
const defaults = (node: Trigger) =>
	Object.fromEntries(description(node).properties.map((field) => [field.name, field.default]));

it('the webhook trigger with default settings returns the fields of its schema', async () => {
	const { output } = defaults('CarrierLoadCommunicationsTrigger');
	const { workflowData = [] } = await send({ authentication: 'none', output }, { body: event });
	const items = workflowData.flat().map(({ json }): IDataObject => json);
	expectSchemaOf(items, schemaOf('CarrierLoadCommunicationsTrigger'));
});

it('the polling trigger with default settings returns the fields of its schema', async () => {
	await openSandbox({ calls: 400 });
	const { output } = defaults('CarrierLoadCommunicationsPollingTrigger');
	const { items = [] } = await trigger({ output }).poll('manual');
	expectSchemaOf(items, schemaOf('CarrierLoadCommunicationsPollingTrigger'));
});

it.each<[Trigger, string]>([
	['CarrierLoadCommunicationsTrigger', 'eventType'],
	['CarrierLoadCommunicationsPollingTrigger', 'localTime'],
])("n8n's assistant finds the schema of %s by the node's version", async (node, field) => {
	// Older versions of n8n have no such lookup.
	if (!('loadOutputSchema' in core)) return;
	const loader = new core.PackageDirectoryLoader(repositoryRoot);
	await loader.loadAll();
	const source = loader.known.nodes[typeName(node)]?.sourcePath ?? '';
	const nodeDir = dirname(join(repositoryRoot, source));
	const version = Number(description(node).version);
	const schema = core.loadOutputSchema({ nodeDir, version, versionFallback: true });
	expect(Object.keys(Object(schema?.properties))).toContain(field);
});
