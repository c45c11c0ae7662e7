// A version of the package from a clean clone to its users and back: released, published to a registry on loopback,
// installed by a real n8n, updated under published workflows, gone, and there again.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE_NAME } from '../../playground/setup/paths.mts';
import { type Sandbox, startSandbox } from '../../sandbox/index.mts';
import {
	type ServiceProxy,
	startServiceProxy,
} from '../e2e/examples/support/destinations/proxy.mts';
import { waitUntil } from '../support/wait-until.mts';
import { Checkout } from './support/checkout.mts';
import { InstallingN8n, throughProxy } from './support/n8n.mts';
import { Registry } from './support/registry.mts';
import { nextRelease } from './support/releases.mts';
import { NODES, type Published, Workflows } from './support/workflows.mts';

const OWNER = 'acme-freight';
const FIRST = '99.0.0';
const NEXT = '99.0.1';

/**
 * Fields that workflows have stored and this version doesn't know, because it renamed or removed them. The first stands
 * for all: add each one that a version renames, with what its error says about the field that took its place.
 */
const FORMER_FIELDS = [
	{
		collection: 'rules',
		field: 'formerRule',
		says: 'Safety has no field "formerRule"',
	},
];

const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
const registry = new Registry();
let proxy: ServiceProxy;
beforeAll(async () => {
	proxy = await startServiceProxy([registry]);
});
afterAll(async () => {
	await proxy?.close();
	rmSync(folder, { recursive: true, force: true });
});

describe('a version', () => {
	let checkout: Checkout;
	beforeAll(async () => {
		const env = throughProxy(join(folder, 'npm'), proxy, registry.host);
		checkout = new Checkout(folder, OWNER, env);
		await checkout.open();
	});

	it('is not made from changes, with placeholders, or without its heading in the changelog', async () => {
		const nobody = [`nobody/${PACKAGE_NAME}`, 'nobody@placeholder.example'];
		await checkout.npm('run', 'owner', '--', ...nobody, `${PACKAGE_NAME} contributors`);
		checkout.edit('CHANGELOG.md', (text) => text.replace('## [Unreleased]', '## Later'));
		const { code, printed } = await checkout.npm('run', 'release', '--', FIRST);
		await checkout.git('checkout', '--quiet', '.');
		expect(code).not.toBe(0);
		expect(printed).toContain('There are changes that are not committed');
		expect(printed).toContain('package.json names the repository');
		expect(printed).toContain('The support address is a placeholder');
		expect(printed).toContain("The author's name is a placeholder");
		expect(printed).toContain('CHANGELOG.md has no "## [Unreleased]"');
	});

	it('is not published from a commit that is no version', async () => {
		const { code, printed } = await checkout.npm('publish');
		expect(code).not.toBe(0);
		expect(printed).toContain("This commit isn't tagged");
		expect(registry.releases).toEqual([]);
	});

	it('is not made from a repository without a remote', async () => {
		await checkout.git('remote', 'rename', 'origin', 'elsewhere');
		const { code, printed } = await checkout.npm('run', 'release', '--', '--check');
		await checkout.git('remote', 'rename', 'elsewhere', 'origin');
		expect(code).not.toBe(0);
		expect(printed).toContain('but origin is missing (git remote add origin <URL>)');
	});

	it('is a commit and a tag, which one push brings to the remote', async () => {
		const owner = [`${OWNER}/${PACKAGE_NAME}`, 'support@acme.test', 'Acme Freight'];
		await checkout.npm('run', 'owner', '--', ...owner);
		checkout.edit('CHANGELOG.md', (text) =>
			text.replace('## [Unreleased]\n', '## [Unreleased]\n\n- Rehearsed.\n'),
		);
		await checkout.git('commit', '--quiet', '--all', '--message', 'Prepare a release');
		await checkout.git('push', '--quiet', 'origin', 'main');

		const { code, printed } = await checkout.npm('run', 'release', '--', FIRST);
		if (code !== 0) throw new Error(printed);
		const push = `git push --atomic origin main ${FIRST}`;
		expect(printed).toContain(push);
		await checkout.git(...push.split(' ').slice(1));
		const commit = await checkout.git('rev-parse', 'HEAD');
		expect(await checkout.pushed()).toEqual(
			expect.arrayContaining([`${commit} refs/heads/main`, `${commit} refs/tags/${FIRST}`]),
		);
		expect(await checkout.git('show', '--stat', '--format=%s', 'HEAD')).toMatch(
			new RegExp(`^Release ${FIRST}\\s[^]*CHANGELOG.md[^]*package-lock.json[^]*package.json`),
		);
	});

	it('is built, checked and published by npm publish, although nothing was built', async () => {
		expect(existsSync(join(checkout.folder, 'dist'))).toBe(false);
		const { code, printed } = await checkout.npm('publish');
		if (code !== 0) throw new Error(printed);
		expect(printed).toContain('ok      n8n loads every node and credential of the tarball');
		expect(registry.releases).toMatchObject([{ version: FIRST }]);
	});
});

describe('the package in n8n', () => {
	let sandbox: Sandbox;
	let n8n: InstallingN8n;
	let workflows: Workflows;
	let calling: Published;
	let waiting: Published;
	let receiving: Published;
	let polling: Published;

	beforeAll(async () => {
		const [first] = registry.releases;
		if (first === undefined) throw new Error('nothing was published');
		registry.releases.push(nextRelease(first, NEXT));
		sandbox = await startSandbox({ calls: 20, callDelayMs: Infinity });
		n8n = new InstallingN8n(join(folder, 'install'), proxy, registry.host);
		await n8n.start();
		workflows = new Workflows(() => n8n.session);
	});
	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
	});

	const driver = (line: string) => ({ phone: `+131255501${line}`, load: `L${line}` });
	const event = () => ({ event: 'call.completed', data: { callId: randomUUID() } });
	const dialed = () => sandbox.ledger.dialed().map(({ loadNumber }) => loadNumber);
	const listReads = () =>
		sandbox.ledger.requests().filter(({ endpoint }) => endpoint === 'listCalls').length;
	const installed = (version: string) => [{ installedVersion: version, failedLoading: false }];

	/** Places a call for a load, and waits until the polling trigger has returned it. */
	async function callAndPoll(line: string) {
		const call = await workflows.send(calling, driver(line));
		return { call, poll: await untilPolled(`L${line}`) };
	}

	async function polledItems() {
		const ended = await workflows.ended(polling.id);
		return ended.filter(({ status }) => status === 'success').flatMap(({ items }) => items);
	}

	async function untilPolled(load: string) {
		const polled = async () => (await polledItems()).filter((item) => item['loadNumber'] === load);
		await waitUntil(`the poll of ${load}`, async () => (await polled()).length > 0);
		const found = await polled();
		// n8n saves what a poll has seen after starting its execution. By the next poll, it has: n8n may be stopped.
		const reads = listReads();
		await waitUntil('the next poll', async () => listReads() > reads);
		return found;
	}

	async function untilOutcome(load: string) {
		await sandbox.finishCalls();
		await waitUntil(`the outcome of ${load}`, async () => {
			const [newest] = await workflows.ended(waiting.id);
			return newest?.status === 'success' && newest.items[0]?.['loadNumber'] === load;
		});
	}

	it('is installed in the editor, and places calls, receives events and polls', async () => {
		expect(await n8n.nodesInPanel()).toEqual([]);
		await n8n.install(FIRST);
		expect(await n8n.nodesInPanel()).toEqual(Object.values(NODES).sort());
		await workflows.addCredential(sandbox.baseUrl, sandbox.tokens.north);
		[calling, waiting, receiving, polling] = await Promise.all([
			workflows.calling(),
			workflows.calling({ waitForOutcome: 'webhook' }),
			workflows.receiving(),
			workflows.polling(),
		]);
		sandbox.setWebhook({ url: receiving.url });

		const { call, poll } = await callAndPoll('20');
		expect(call.items).toEqual([expect.objectContaining({ placement: 'placed' })]);
		for (const items of [call.items, poll]) expect(items[0]).not.toHaveProperty('version');
		expect(await workflows.send(receiving, event())).toMatchObject({ status: 'success' });
	});

	it('is updated while workflows run, which keep credential, guard, waits, events and polls', async () => {
		expect(await n8n.installed()).toMatchObject([{ updateAvailable: NEXT }]);
		expect(await workflows.send(waiting, driver('30'))).toMatchObject({ status: 'waiting' });
		await n8n.update(NEXT);
		expect(await n8n.installed()).toMatchObject(installed(NEXT));

		const again = await workflows.send(calling, driver('20'));
		expect(again.items).toEqual([expect.objectContaining({ placement: 'skippedDuplicate' })]);
		// The next call and the next poll are those of the new version, without a restart.
		const { call, poll } = await callAndPoll('21');
		expect(call.items).toEqual([expect.objectContaining({ placement: 'placed', version: NEXT })]);
		expect(poll).toEqual([expect.objectContaining({ version: NEXT })]);
		expect(await workflows.send(receiving, event())).toMatchObject({ status: 'success' });
		await untilOutcome('L30');
	});

	it.each(FORMER_FIELDS)(
		'refuses the field $field of an earlier version before any call',
		async ({ collection, field, says }) => {
			const former = await workflows.calling({ [collection]: { [field]: true } });
			const before = dialed();
			expect(await workflows.send(former, driver('29'))).toMatchObject({
				status: 'error',
				said: expect.stringMatching(new RegExp(`No phone rang.*${says}`, 's')),
			});
			expect(dialed()).toEqual(before);
		},
	);

	it('goes back as docs/upgrade.md says, with a waiting execution, the guard and a sender', async () => {
		expect(await workflows.send(waiting, driver('32'))).toMatchObject({ status: 'waiting' });
		await callAndPoll('22');
		const [known, missed] = [event(), event()];
		expect(await workflows.send(receiving, known)).toMatchObject({ status: 'success' });
		const started = (await workflows.ended(receiving.id)).length;

		await n8n.stop();
		expect(await statusOf(receiving.url, missed)).toBe(0);
		await n8n.goBackTo(FIRST);
		await n8n.start();
		// n8n's database has what its own installer installed.
		expect(await n8n.installed()).toMatchObject(installed(NEXT));

		const again = await workflows.send(calling, driver('22'));
		expect(again.items).toEqual([expect.objectContaining({ placement: 'skippedDuplicate' })]);
		const { call, poll } = await callAndPoll('26');
		for (const items of [again.items, call.items, poll])
			expect(items[0]).not.toHaveProperty('version');
		// The sender repeats both: one started a workflow before.
		expect(await statusOf(receiving.url, known)).toBe(200);
		expect(await workflows.send(receiving, missed)).toMatchObject({ status: 'success' });
		expect(await workflows.ended(receiving.id)).toHaveLength(started + 1);
		await untilOutcome('L32');
	});

	it('is uninstalled: its nodes are gone, senders get 400, and installing it again is enough', async () => {
		await n8n.uninstall();
		expect(await n8n.installed()).toEqual([]);
		expect(await n8n.nodesInPanel()).toEqual([]);
		for (const [workflow, node] of [
			[calling, NODES.action],
			[receiving, NODES.trigger],
		] as const) {
			const said = expect.stringContaining(`Unrecognized node type: ${node}`);
			expect(await workflows.send(workflow, driver('23'))).toMatchObject({ status: '400', said });
		}
		await n8n.install();
		expect(await n8n.installed()).toMatchObject(installed(NEXT));
		const { call } = await callAndPoll('23');
		expect(call.items).toEqual([expect.objectContaining({ placement: 'placed' })]);
		expect(await workflows.send(receiving, event())).toMatchObject({ status: 'success' });
	});

	it('is installed again by n8n when n8n starts without it and may reinstall it', async () => {
		await n8n.stop();
		n8n.moveNodes('away');
		await n8n.start({ N8N_REINSTALL_MISSING_PACKAGES: 'true' });
		expect(await n8n.installed()).toMatchObject(installed(NEXT));
		expect(await workflows.state(polling.id)).toBe('published');
		await callAndPoll('24');
	});

	it('leaves the polling trigger failed when n8n started once without it, until it is published again', async () => {
		expect(await workflows.send(waiting, driver('31'))).toMatchObject({ status: 'waiting' });
		await n8n.stop();
		n8n.moveNodes('away');
		await n8n.start();
		expect(await n8n.installed()).toMatchObject([{ failedLoading: true }]);
		expect(await workflows.send(receiving, event())).toMatchObject({ status: '400' });

		await n8n.stop();
		n8n.moveNodes('back');
		await n8n.start();
		// Calls, events and waits go on.
		await workflows.send(calling, driver('25'));
		expect(await workflows.send(receiving, event())).toMatchObject({ status: 'success' });
		await untilOutcome('L31');
		expect(await workflows.state(polling.id)).toBe('failed');
		expect((await polledItems()).map((item) => item['loadNumber'])).not.toContain('L25');

		await n8n.session.activate(polling.id);
		await untilPolled('L25');
		expect(await workflows.state(polling.id)).toBe('published');
	});

	it('loses no event around a restart if the sender first asks /healthz/readiness', async () => {
		const stored = async () => (await workflows.ended(receiving.id)).length;
		const before = await stored();
		await n8n.stop();
		const starting = n8n.start();
		let sent = 0;
		await waitUntil('five events', async () => {
			if ((await statusOf(`${n8n.baseUrl}/healthz/readiness`)) !== 200) return false;
			// Before that, n8n answers 200 and drops the event, or 404.
			expect(await statusOf(receiving.url, event())).toBe(200);
			return ++sent === 5;
		});
		await starting;
		await waitUntil('their executions', async () => (await stored()) === before + sent);
	});

	it('returned each call from exactly one poll', async () => {
		const polled = (await polledItems()).map((item) => item['loadNumber']);
		expect(polled.sort()).toEqual(dialed().sort());
	});
});

/** The status of a response, or 0 when nothing listens there. */
async function statusOf(url: string, body?: object): Promise<number> {
	const headers = { 'content-type': 'application/json' };
	const sent = body && { method: 'POST', headers, body: JSON.stringify(body) };
	const response = await fetch(url, sent).catch(() => undefined);
	await response?.arrayBuffer();
	return response?.status ?? 0;
}
