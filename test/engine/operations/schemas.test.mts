import type { IDataObject } from 'n8n-workflow';
import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';
import { expectSchemaOf } from '../support/operations/output-schema.mts';

let runner: NodeRunner;
let callId: number;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 1000 });
	const createdAt = new Date(Date.now() - 3_600_000).toISOString();
	callId = runner.sandbox.insert({ createdAt })[0] ?? 0;
});
afterAll(() => runner.close());

const lane = {
	origin: 'Chicago, IL',
	destination: 'Dallas, TX',
	radius: 500,
};

const reads: Array<[string, string, () => IDataObject]> = [
	['conversation', 'getAll', () => ({ timeRange: 'last30Days' })],
	['call', 'getAll', () => ({ timeRange: 'last30Days' })],
	['call', 'get', () => ({ callId })],
	['call', 'downloadRecording', () => ({ callId })],
	['bid', 'getAll', () => ({ timeRange: 'last30Days' })],
	['carrier', 'search', () => lane],
	['analytics', 'getAll', () => ({})],
];

it.each(reads)('%s: %s returns what its schema says', async (resource, operation, parameters) => {
	const run = await runner.run({ resource, operation, ...parameters() } as never);
	expect(run.error).toBeUndefined();
	expectSchemaOf(
		run.items,
		`CarrierLoadCommunications/__schema__/v1.0.0/${resource}/${operation}.json`,
	);
});
