import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProbe, type Order } from '../triggers/support/poll-probe.mts';
import { ProbePolls } from '../triggers/support/probe-polls.mts';
import { TriggersEnvironment } from '../triggers/support/triggers-environment.mts';
import {
	inModel,
	type Node,
	ProcessedNodes,
	RACES,
	type Steps,
} from './support/processed-data.mts';
import { createProcessedProbe, type Outcome } from './support/processed-data-probe.mts';

// Many tests rest on models of what n8n does: with its table of processed data (the property and engine tests of
// calls), and when it polls. Here the same goes to the models and to a real n8n with its database, which is killed
// once for both.

const folder = mkdtempSync(join(tmpdir(), 'probes-'));
const processedProbe = createProcessedProbe(folder);
const pollProbe = createProbe(folder);
const environment = new TriggersEnvironment({
	N8N_CUSTOM_EXTENSIONS: folder,
	N8N_PAYLOAD_SIZE_MAX: '64',
});

const nothing: Order = { hasItems: false };
const items: Order = { hasItems: true };
const overlapping = [nothing, nothing, { ...items, waitsForNext: true }, items];
const polls = new ProbePolls(environment, [...overlapping, nothing, nothing]);

const nodes = new ProcessedNodes(environment);
const inN8n = nodes.perform;
const inTable = inModel(processedProbe);

beforeAll(async () => {
	await environment.open();
	// They take minutes, during which the tests before theirs run.
	await polls.begin();
	await nodes.create();
});
afterAll(async () => {
	await environment.close();
	polls.close();
	rmSync(folder, { recursive: true, force: true });
});

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
		expect(await inTable(node, steps)).toEqual(expected);
	});

	it.each([
		['n8n', inN8n],
		['the model', inTable],
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
		['the model', inTable],
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
});

describe("the harness's polled workflow", () => {
	it('overlaps polls and forgets in a crash what n8n forgets', async () => {
		const counts = await polls.inN8n();
		expect(counts).toEqual([0, 1, 2, 2, 3, 3]);
		expect(await polls.inModel(pollProbe, false)).toEqual(counts);
	});
});

describe("the model of n8n's table of processed data after that crash", () => {
	it('keeps everything when n8n is started again, as n8n does', async () => {
		await nodes.registered();
		const steps: Steps = [[{ record: ['a', 'b', 'e'] }]];
		const kept = await inN8n('first', steps);
		expect(kept).toEqual([[['a', 'b']]]);
		expect(await inTable('first', steps)).toEqual(kept);
	}, 600_000);
});
