import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import { type Mailbox, SMTP_CREDENTIAL, startMailbox } from '../support/mailbox.mts';

const WORKFLOW = 'lateLoads';
const TABLE = 'late_load_alerts';
const DESK = 'desk@broker.example';

let environment: ExamplesEnvironment;
let mailbox: Mailbox;

const run = async (trigger: string, workflow = WORKFLOW) => {
	const id = await environment.start(workflow, trigger);
	expect(await environment.waitForEnd(id)).toBe('success');
};
const alert = async () => {
	// The second run sends what the first has saved.
	await run('Every minute');
	await run('Every minute');
};
const add = async (table: string, ...rows: JsonObject[]) =>
	await environment.session.addDataTableRows(table, rows);
const late = (callId: string, more: JsonObject = {}) => ({
	...{ callId, loadNumber: `73${callId}`, outcome: 'reached', delayed: true, eta: '4 PM' },
	...{ delayMinutes: 45, summary: 'Held at the <dock>', ...more },
});
const stateOf = async (callId: string) =>
	(await environment.rows(TABLE, undefined, 1000)).find((row) => row['callId'] === callId)?.[
		'state'
	];
const sentTo = (receiver: string) =>
	mailbox.received().filter(({ to }) => JSON.stringify(to).includes(receiver));

/** Starts the next draft. Returns its execution once it waits for approval. */
async function draft(workflow = WORKFLOW): Promise<string> {
	const id = await environment.start(workflow, 'Every minute, one draft');
	await waitUntil('the draft', async () => {
		return !['new', 'running'].includes(await environment.status(id));
	});
	return id;
}

/** Clicks a button of the newest email that asks for approval. */
async function click(button: 'true' | 'false'): Promise<void> {
	const asked = mailbox.received().findLast(({ subject }) => subject?.startsWith('Approve: '));
	const links = String(asked?.html).match(/href="([^"]+)"/g) ?? [];
	const link = links.find((each) => each.includes(`approved=${button}`)) ?? '';
	const url = new URL(link.slice(6, -1).replaceAll('&amp;', '&'));
	const { pathname, search } = url;
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
	const response = await fetch(`${environment.baseUrl}${pathname}${search}`, { headers });
	expect(response.status).toBe(200);
}

/** Late loads reach the desk at once, and the customer after approval. */
export function testLateLoads(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		mailbox = await startMailbox();
		const smtp = { name: SMTP_CREDENTIAL, type: 'smtp', data: mailbox.credential };
		const down = { ...smtp, name: 'Mail is down', data: { ...mailbox.credential, port: 9 } };
		const nodes = ['Tell the desk', 'Send the digest', 'Ask for approval', 'Email the customer'];
		const variants = (name: string, as?: string): Variant[] =>
			nodes.map((node) => ({
				...{ of: WORKFLOW, node, ...(as !== undefined && { as }) },
				set: {
					fromEmail: DESK,
					...(node !== 'Email the customer' && { toEmail: DESK }),
				},
				settings: { credentials: { smtp: { id: null, name } } },
			}));
		environment = await n8n.import(
			[
				...variants(SMTP_CREDENTIAL),
				...variants('Mail is down', 'lateWithoutMail'),
				...variants(SMTP_CREDENTIAL, 'fiveHoursLater'),
				{
					...{ of: WORKFLOW, as: 'fiveHoursLater', node: 'Drafts left over' },
					set: {
						filters: { conditions: [{ keyName: 'state', condition: 'eq', keyValue: 'drafted' }] },
					},
				},
			],
			{ only: [WORKFLOW], credentials: [smtp, down] },
		);
	});
	afterAll(async () => await environment?.remove());
	afterAll(async () => await mailbox?.close());

	it('sends nothing while no load is late', async () => {
		await add('call_outcomes', { callId: '600', loadNumber: '73600', delayed: false });
		await alert();
		await run('Every hour');
		expect(mailbox.received()).toEqual([]);
	});

	it('tells the desk of each late load once, also when the first email fails', async () => {
		await add('call_outcomes', late('601'));
		await run('Every minute', 'lateWithoutMail');
		await run('Every minute', 'lateWithoutMail');
		expect(await stateOf('601')).toBe('new');
		await alert();
		await alert();
		expect(mailbox.received().map(({ subject }) => subject)).toEqual(['Load 73601 is late']);
		expect(mailbox.received()[0]?.text).toContain('45 minutes late, ETA 4 PM, Held at the <dock>');
		expect(await stateOf('601')).toBe('told');
	});

	it('emails the customer after approval, and not before', async () => {
		await add('customer_contacts', {
			...{ loadNumber: '73601', customer: 'Prairie Foods', email: 'dock@prairie.example' },
		});
		const execution = await draft();
		expect(await environment.status(execution)).toBe('waiting');
		expect(sentTo('dock@prairie.example')).toEqual([]);
		await click('true');
		expect(await environment.waitForEnd(execution)).toBe('success');
		expect(sentTo('dock@prairie.example')).toMatchObject([
			{ subject: 'Load 73601 is running late', text: expect.stringContaining('New ETA: 4 PM.') },
		]);
		expect(await stateOf('601')).toBe('customer told');
		expect(await environment.rows('calls_to_make_by_hand', '73601')).toEqual([]);
	});

	it('asks a person when the draft is declined, has no address, or can not be sent', async () => {
		await add('customer_contacts', { loadNumber: '73602', customer: 'A', email: 'a@a.example' });
		await add('customer_contacts', { loadNumber: '73604', customer: 'B', email: 'b@b.example' });
		for (const [callId, why] of [
			['602', 'not approved'],
			['603', 'No email'],
			['604', 'could not be sent'],
		] as const) {
			await add('call_outcomes', late(callId));
			await alert();
			const execution = await draft(callId === '604' ? 'lateWithoutMail' : WORKFLOW);
			if (callId === '602') await click('false');
			expect(await environment.waitForEnd(execution)).toBe('success');
			expect(await environment.rows('calls_to_make_by_hand', `73${callId}`)).toMatchObject([
				{ reason: expect.stringContaining(why), advice: expect.stringContaining('New ETA: 4 PM') },
			]);
			expect(await stateOf(callId)).toBe('by hand');
		}
		expect(sentTo('a@a.example')).toEqual([]);
	});

	it('gives a draft to a person when n8n stopped in the middle', async () => {
		await add(TABLE, { callId: '605', loadNumber: '73605', state: 'drafted', eta: '5 PM' });
		await run('Every hour', 'fiveHoursLater');
		expect(await environment.rows('calls_to_make_by_hand', '73605')).toMatchObject([
			{ reason: expect.stringContaining('n8n stopped'), advice: expect.stringContaining('5 PM') },
		]);
		expect(await stateOf('605')).toBe('by hand');
	});

	it('sends one email about 300 late loads, and a digest of the hour', async () => {
		await add(
			'call_outcomes',
			...Array.from({ length: 300 }, (_, nth) => late(String(7000 + nth))),
		);
		const before = mailbox.received().length;
		await alert();
		await run('Every hour');
		const subjects = mailbox
			.received()
			.slice(before)
			.map(({ subject }) => subject);
		expect(subjects).toEqual(['300 loads are late', 'Late loads of the last hour: 305']);
		const states = (await environment.rows(TABLE, undefined, 1000)).map(({ state }) => state);
		expect(states.filter((state) => state === 'told')).toHaveLength(300);
	});
}
