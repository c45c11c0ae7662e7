import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Placement } from '../../../nodes/CarrierLoadCommunications/calls/call.ts';
import { driver } from '../support/calls/dispatch.mts';
import { hoursRule, useDispatch } from '../support/calls/use-dispatch.mts';
import { repositoryRoot } from '../support/harness/n8n.mts';

const dispatch = useDispatch();

const root = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const schemas = 'nodes/CarrierLoadCommunications/__schema__/v1.0.0/call';

interface Schema {
	properties: Record<string, { type: string; enum?: string[] }>;
	examples: IDataObject[];
}

const operations: Record<string, INodeParameters> = {
	triggerCheckCall: {},
	triggerCarrierSalesCall: { loadId: '={{ $json.load }}', dotNumber: 77 },
	createAgentCall: { agentId: 'desk' },
};

const skipped = { doNotCall: '={{ $json.phone }}', onDoNotCall: 'skip' };
/** The full hour that comes in so many hours, as 03:00. */
const hourIn = (hours: number) =>
	`${new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 13)}:00`;
const outside: INodeParameters = hoursRule({
	...{ from: hourIn(12), to: hourIn(13), zone: 'UTC' },
	outside: 'skip',
});

/** How an item comes to each placement. */
const ways: Record<Placement, (parameters: INodeParameters) => Promise<IDataObject[]>> = {
	placed: async (parameters) => (await dispatch.run(parameters)).items,
	async reconciled(parameters) {
		dispatch.fail({ kind: 'reset', when: 'after' });
		return (await dispatch.run({ ...parameters, options: { lookForLostAnswers: 5 } })).items;
	},
	async skippedDuplicate(parameters) {
		const items = [driver()];
		const guarded = { ...parameters, rules: { skipIfCalledWithin: 10 } };
		await dispatch.run(guarded, { items });
		return (await dispatch.run(guarded, { items })).items;
	},
	dryRun: async (parameters) => (await dispatch.run({ ...parameters, callMode: 'dryRun' })).items,
	wouldFail: async (parameters) =>
		(await dispatch.run({ ...parameters, callMode: 'dryRun', toPhone: '12' })).items,
	outsideHours: async (parameters) => (await dispatch.run({ ...parameters, rules: outside })).items,
	doNotCall: async (parameters) => (await dispatch.run({ ...parameters, rules: skipped })).items,
};
const placements = Object.keys(ways);

describe.each(Object.keys(operations))("the editor's schema of %s", (operation) => {
	const schema = (): Schema => JSON.parse(root(`${schemas}/${operation}.json`));

	it('names every placement, with an example row for each', () => {
		expect(schema().properties.placement?.enum).toEqual(placements);
		expect(schema().examples.map(({ placement }) => placement)).toEqual(placements);
	});

	it('has the fields of its example rows', () => {
		const { properties, examples } = schema();
		const named = examples.flatMap((row) => Object.keys(row));
		expect(Object.keys(properties)).toEqual(expect.arrayContaining(named));
	});

	it.each(Object.entries(ways))('has the fields of a row that is %s', async (placement, way) => {
		const [row = {}] = await way({
			...{ operation, ...operations[operation] },
			...{ waitForOutcome: 'polling', waitLimit: 0.001, includeInputFields: false },
		});
		expect(row.placement).toBe(placement);
		const { properties } = schema();
		expect(Object.keys(row).filter((name) => !Object.hasOwn(properties, name))).toEqual([]);
	});
});

it('docs/placing-calls.md has an example row for every placement', () => {
	const [, section = ''] = root('docs/placing-calls.md').split('\n## What you see, what it means');
	const [table = ''] = section.split('\n## ');
	const rows = [...table.matchAll(/^\| `(\w+)` .*\| (?:`\d+`|empty), .* \|$/gm)];
	expect(rows.map(([, placement]) => placement).sort()).toEqual([...placements].sort());
});
