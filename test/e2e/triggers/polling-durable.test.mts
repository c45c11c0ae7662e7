import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.mts';
import { createProbe, type Order } from './support/poll-probe.mts';
import { PolledList } from './support/polled-list.mts';
import { ProbePolls } from './support/probe-polls.mts';
import { TriggersEnvironment } from './support/triggers-environment.mts';

const nothing: Order = { hasItems: false };
const items: Order = { hasItems: true };

const folder = mkdtempSync(join(tmpdir(), 'poll-probe-'));
const probe = createProbe(folder);
const environment = new TriggersEnvironment({
	// What turns on n8n's durable poll cursors: all four (n8n 2.41, poll-cursor.service.js).
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// n8n leaves a poll five seconds: ten, less a margin.
	N8N_SCHEDULER_POLL_TIMEOUT: '10',
	N8N_CUSTOM_EXTENSIONS: folder,
});
const polls = new ProbePolls(environment, [nothing, nothing, items, nothing, nothing]);
const list = new PolledList(environment);

beforeAll(async () => {
	await environment.open();
	// They take minutes, during which the tests before theirs run.
	await polls.begin();
	await list.open();
});
afterAll(async () => {
	await environment.close();
	await list.close();
	polls.close();
	rmSync(folder, { recursive: true, force: true });
});

it('calls arrive once although their list takes longer than n8n gives a poll', async () => {
	const { service, workflows } = list;
	const id = await workflows.create([workflows.trigger('Poll')]);
	await environment.session.activate(id);
	await waitUntil('the first poll', () => service.requests > 1);

	service.before = async () => await wait(1500, undefined);
	const now = Date.now();
	const calls = Array.from({ length: 1500 }, (_, index) => index + 1);
	for (const call of calls) {
		const made = now - 2000 * (calls.length - call);
		const createdAt = new Date(made).toISOString();
		service.add(made, { id: call, createdAt, summary: 'said' });
	}
	const seen = async () => await workflows.delivered(id, 'Poll');
	await waitUntil('the calls', async () => (await seen()).length >= calls.length, 600_000);
	await list.untilPolled(2);
	expect(await seen()).toEqual(calls);
	expect(environment.log()).not.toContain('Poll exceeded its timeout');
	await environment.session.deactivate(id);
});

describe("the harness's polled workflow", () => {
	it('keeps durable cursors as n8n does', async () => {
		const counts = await polls.inN8n();
		expect(counts).toEqual([0, 0, 1, 2, 3]);
		expect(await polls.inModel(probe, true)).toEqual(counts);
	});
});
