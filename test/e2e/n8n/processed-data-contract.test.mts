import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { RunningN8n } from '../../../playground/n8n/n8n.mts';
import { textIn } from '../../../playground/n8n/rest.mts';
import { ProcessedData } from '../../engine/support/calls/processedData.mts';
import { startPreparedN8n } from '../../support/prepared-n8n.mts';
import { waitUntil } from '../../support/wait-until.mts';
import {
	createProcessedProbe,
	type Operation,
	type Outcome,
} from './support/processed-data-probe.mts';

// The property and engine tests of calls rest on a model of n8n's table of processed data. Here the
// same operations go to the model and to a real n8n with its database.

type Steps = Operation[][];

const RACES = ['race 1', 'race 2', 'race 3'] as const;
const NODES = ['first', 'second', 'third', ...RACES] as const;
type Node = (typeof NODES)[number];

/** Carries out steps in one of the nodes, which have a row of the table each. */
type Perform = (node: Node, steps: Steps) => Promise<Outcome[][]>;

const { folder, probe } = createProcessedProbe();
const userFolder = mkdtempSync(join(tmpdir(), 'processed-contract-'));
const urls = new Map<string, string>();
let n8n: RunningN8n;

async function createWorkflow(name: string): Promise<void> {
	const session = await n8n.login();
	const webhookId = randomUUID();
	const nodes = [
		{
			...{ id: randomUUID(), name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
			...{ webhookId, position: [0, 0] },
			parameters: { path: webhookId, httpMethod: 'POST', responseMode: 'lastNode' },
		},
		{
			...{ id: randomUUID(), name: 'Probe', type: 'CUSTOM.processedProbe', typeVersion: 1 },
			...{ position: [200, 0], parameters: {} },
		},
	];
	const connections = { Webhook: { main: [[{ node: 'Probe', type: 'main', index: 0 }]] } };
	const created = await session.createWorkflow({ name, nodes, connections, settings: {} });
	await session.activate(textIn(created, 'id'));
	urls.set(name, `/webhook/${webhookId}`);
}

async function start(): Promise<void> {
	const env = { N8N_CUSTOM_EXTENSIONS: folder, N8N_PAYLOAD_SIZE_MAX: '64' };
	n8n = await startPreparedN8n({ userFolder, env });
	const session = await n8n.login();
	for (const name of NODES) {
		if (!urls.has(name)) await createWorkflow(name);
		const url = `${n8n.baseUrl}${urls.get(name)}`;
		await waitUntil(`the webhook of ${name}`, () => session.webhookIsRegistered(url));
	}
}

beforeAll(start);
afterAll(async () => {
	await n8n?.stop();
	rmSync(userFolder, { recursive: true, force: true });
	rmSync(folder, { recursive: true, force: true });
});

const inN8n: Perform = async (node, steps) => {
	const response = await fetch(`${n8n.baseUrl}${urls.get(node)}`, {
		...{ method: 'POST', headers: { 'content-type': 'application/json' } },
		body: JSON.stringify({ steps }),
	});
	return ((await response.json()) as { outcomes: Outcome[][] }).outcomes;
};

const table = new ProcessedData();
const inModel: Perform = async (node, steps) => {
	const contextData = { node: { id: node }, workflow: { id: node, active: true } } as never;
	const helpers = {
		checkProcessedAndRecord: (items: string[], scope: 'node', options: never) =>
			table.checkProcessedAndRecord(items, scope, contextData, options),
		removeProcessed: (items: string[], scope: 'node') =>
			table.removeProcessed(items, scope, contextData),
	} as unknown as IExecuteFunctions['helpers'];
	const getInputData = () => [{ json: { body: { steps } } }] as never;
	const output = await probe.execute.call({ helpers, getInputData });
	return output[0]?.[0]?.json.outcomes ?? [];
};

const many = Array.from({ length: 50_000 }, (_, index) => `many ${index}`);
const scenarios: Array<[string, Node, Steps, Outcome[][]]> = [
	[
		'returns what was there, and forgets what is removed',
		'first',
		[
			[{ record: ['a', 'b', 'c'] }],
			...[[{ record: ['b', 'd'] }], [{ remove: ['b', 'e'] }], [{ record: ['b'] }]],
			[{ record: ['b'] }],
		],
		[[[]], [['b']], [[]], [[]], [['b']]],
	],
	[
		'drops the oldest entries: those that were written first',
		'first',
		[[{ record: ['x'], max: 3 }], [{ record: ['a', 'c', 'd', 'b', 'x'] }]],
		[[[]], [['d', 'b', 'x']]],
	],
	[
		'keeps an entry twice that was written twice at once',
		'first',
		[[{ record: ['y', 'y'] }], [{ remove: ['y'] }], [{ record: ['y'] }]],
		[[[]], [[]], [['y']]],
	],
	[
		'has a row for each node, and never more entries than asked for',
		'second',
		[[{ record: many }], [{ record: ['a'] }], [{ record: ['many 1', 'many 0'] }]],
		[[[]], [[]], [['many 1']]],
	],
	[
		'cuts the first write to size, too',
		'third',
		[[{ record: ['a', 'b', 'c'], max: 2 }], [{ record: ['a', 'b', 'c'] }]],
		[[[]], [['b', 'c']]],
	],
];

describe("the model of n8n's table of processed data", () => {
	it.each(scenarios)('%s, as n8n does', async (_name, node, steps, expected) => {
		expect(await inN8n(node, steps)).toEqual(expected);
		expect(await inModel(node, steps)).toEqual(expected);
	});

	it.each([
		['n8n', inN8n],
		['the model', inModel],
	])('refuses one of two first writes at the same moment, in %s', async (_name, perform) => {
		const seen: string[] = [];
		for (const node of RACES) {
			const [outcomes = []] = await perform(node, [
				[{ record: ['a', 'b', 'c'] }, { record: ['a', 'x'] }],
			]);
			// Which one is refused is up to the database.
			seen.push(...outcomes.map((outcome) => JSON.stringify(outcome)));
		}
		expect(seen).toContain('"refused"');
		expect(seen.filter((outcome) => outcome === '[]')).toHaveLength(RACES.length);
	});

	it.each([
		['n8n', inN8n],
		['the model', inModel],
	])('loses what one of two writes at the same moment did, in %s', async (name, perform) => {
		const seen = new Set<string>();
		// Which one is lost is up to the database.
		for (let round = 0; round < 20; round++) {
			const [p, q, r] = ['p', 'q', 'r'].map((entry) => `${entry} of ${round} in ${name}`);
			const written = await perform('first', [
				[{ record: [`${p}`] }, { record: [`${q}`] }],
				[{ record: [`${p}`, `${q}`] }],
			]);
			seen.add(`${written[1]?.[0]?.length} of 2 written`);
			const removed = await perform('first', [
				[{ remove: [`${p}`] }, { record: [`${r}`] }],
				[{ record: [`${p}`, `${r}`] }],
			]);
			seen.add(`${removed[1]?.[0]?.length} of 2 after a removal`);
		}
		expect(seen).toContain('1 of 2 written');
		expect([...seen].some((each) => /^[02] of 2 after/.test(each))).toBe(true);
	});

	it('keeps everything when n8n is started again, as n8n does', async () => {
		await n8n.stop();
		await start();
		const steps: Steps = [[{ record: ['a', 'b', 'e'] }]];
		const kept = await inN8n('first', steps);
		expect(kept).toEqual([[['a', 'b']]]);
		expect(await inModel('first', steps)).toEqual(kept);
	}, 600_000);
});
