import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleWorkflows } from '../../../playground/demo/examples.mts';
import { isRecord, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import { ROOT } from '../../../playground/setup/paths.mts';

// What each workflow that saves outcomes elsewhere promises: few nodes, and a sample that shows what it would send.

/**
 * Between the trigger's sample path and the entry by hand; two keep a call on that list until it is sent, because n8n can
 * be killed. HubSpot's has one more, which finds the contact.
 */
const MOST_NODES = 7;
const SAMPLE_PATH = ['Call outcome', 'Try with a sample', 'Sample outcome'];

const destinations = exampleWorkflows().filter(({ file }) => file.startsWith('destinations/'));

it('are a shared sheet, a workbook, a CRM and a chat', () => {
	expect(destinations.map(({ id }) => id.replace('callOutcomeTo', ''))).toEqual([
		...['Excel365', 'GoogleSheets', 'Hubspot', 'Slack'],
	]);
});

it('have a sample to try, unlike the data table, for which the guide names the sandbox', () => {
	const withSample = exampleWorkflows().filter(({ nodes }) =>
		nodes.some(({ name }) => name === 'Try with a sample'),
	);
	expect(withSample.map(({ id }) => id)).toEqual(destinations.map(({ id }) => id));
	const guide = readFileSync(join(ROOT, 'docs/jobs/call-outcomes.md'), 'utf8');
	expect(guide).toContain('from **Call ended**, then _Send a sample event_ on the sandbox page');
	const page = readFileSync(join(ROOT, 'sandbox/page/index.html'), 'utf8');
	expect(page).toContain('<button>Send a sample event</button>');
});

describe.each(destinations)('the example $file', ({ nodes, connections }) => {
	// n8n 2.41 runs nothing of a workflow in which a node names a credential that doesn't exist.
	it('names no credential, so that its sample is shown without an account', () => {
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	});

	const named = (name: string) => nodes.find((node) => node['name'] === name) ?? {};
	const after = (name: string) => {
		const outputs = isRecord(connections[name]) ? connections[name]['main'] : [];
		return recordsIn([outputs].flat(2)).map((target) => textIn(target, 'node'));
	};
	// A message is put into words in one node more: no expression has over 200 characters.
	const [start = ''] = after('Sample outcome');
	const [mapping = ''] = start === 'In words' ? after(start) : [start];

	it('starts with how a call ended, and reads it in none of its expressions', () => {
		expect(named('Call outcome')['parameters']).toMatchObject({ output: 'outcome' });
		const note = JSON.stringify(nodes.filter(({ type }) => String(type).endsWith('stickyNote')));
		expect(note).toContain('More Names');
		expect(note).not.toMatch(/expression/i);
	});

	it('shows in one node after the trigger what a sample would send, and stops there', () => {
		expect(after('Try with a sample')).toEqual(['Sample outcome']);
		expect(after('Call outcome')).toEqual([start]);
		expect(named(mapping)).toMatchObject({ type: 'n8n-nodes-base.set' });
		expect(after(mapping)).toEqual(['Calls that ended']);
		expect(JSON.stringify(named('Calls that ended'))).toContain('"rightValue":"sample"');
	});

	it('has few nodes between them and the manual entry', () => {
		const known = [...SAMPLE_PATH, start, mapping, 'Save for entry by hand'];
		const others = nodes
			.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')
			.filter(({ name }) => !known.includes(String(name)));
		const finding = others.filter(({ name }) => name === 'Find the contact by phone');
		expect(others.length - finding.length).toBeLessThanOrEqual(MOST_NODES);
	});
});
