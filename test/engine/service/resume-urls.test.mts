import type { IDataObject } from 'n8n-workflow';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { withServer } from '../support/service/answering-server.mts';

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine();
});
afterAll(() => engine.close());

const n8nResumeUrl = `https://n8n.test/webhook-waiting/7?signature=secret&wait=${'0a'.repeat(16)}`;
const metadata = { shipment: 'SH-1', n8nResumeUrl };
const minuteAgo = () => new Date(Date.now() - 60_000).toISOString();
const rows = () => [
	{ id: 1, createdAt: minuteAgo(), summary: 'On time.', metadata },
	{ id: 2, createdAt: minuteAgo(), metadata: JSON.stringify(metadata) },
	{ id: 3, createdAt: minuteAgo(), request: { metadata } },
];

/** Responses of a service that echoes the metadata of its calls wherever it can. */
const withRows = async (
	use: (credentials: Record<string, IDataObject>) => Promise<IDataObject[]>,
) =>
	await withServer(
		(_request, response) => {
			const list = rows();
			const pagination = { limit: 100, offset: 0, total: list.length };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ calls: list, conversations: list, pagination }));
		},
		async (baseUrl) =>
			await use({ carrierLoadCommunicationsApi: { baseUrl, accessToken: 'token-of-the-test' } }),
	);

describe('a resume URL that the service repeats', () => {
	it.each([
		{ resource: 'call', operation: 'getAll', returnAll: true, output: 'all' },
		{ resource: 'call', operation: 'getAll', returnAll: true },
		{ resource: 'conversation', operation: 'getAll', returnAll: true, output: 'all' },
		{ resource: 'call', operation: 'get', callId: '1', output: 'all' },
	])('is removed from the items of %j', async (parameters) => {
		const items = await withRows(
			async (credentials) => (await engine.runNode(parameters, { credentials })).items,
		);
		expect(items.length).toBeGreaterThan(0);
		expect(JSON.stringify(items)).not.toMatch(/webhook-waiting|signature/);
	});

	it('is removed from the items of the polling trigger', async () => {
		const items = await withRows(
			async (credentials) =>
				(await engine.poll({ event: 'newCall' }, { credentials, mode: 'manual' })).items ?? [],
		);
		expect(items.length).toBeGreaterThan(0);
		expect(JSON.stringify(items)).not.toMatch(/webhook-waiting|signature/);
	});
});
