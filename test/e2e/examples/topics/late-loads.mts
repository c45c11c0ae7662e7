import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { BOARD_LOGIN } from '../../../../playground/setup/import-examples.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import { FormBrowser } from '../support/form-browser.mts';
import { type Mailbox, SMTP_CREDENTIAL, startMailbox } from '../support/mailbox.mts';

const WORKFLOW = 'lateLoads';
const TABLE = 'late_load_alerts';
const DESK = 'desk@broker.example';

let environment: ExamplesEnvironment;
let mailbox: Mailbox;

const run = async (workflow = WORKFLOW) => {
	const id = await environment.start(workflow, 'Every minute');
	expect(await environment.waitForEnd(id)).toBe('success');
};
const alert = async () => {
	// The second run sends what the first has saved.
	await run();
	await run();
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

/** The draft's number, as the desk reads it in the newest email that asks for approval. */
function numberOf(load: string): string {
	const asked = mailbox.received().findLast(({ subject }) => subject?.startsWith('Approve: '));
	return new RegExp(`(\\d+): to [^\\n]*Load ${load} `).exec(String(asked?.text))?.[1] ?? '';
}

/** Answers a draft in the form. Returns the page that follows. */
async function answer(load: string, decision: 'Approve' | 'Decline'): Promise<string> {
	const browser = new FormBrowser(environment.baseUrl);
	browser.logIn(BOARD_LOGIN);
	const page = await browser.open('late-loads');
	return (await page.submit(numberOf(load), decision)).html;
}

/** Late loads reach the desk at once, and the customer after approval. */
export function testLateLoads(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		mailbox = await startMailbox();
		const smtp = { name: SMTP_CREDENTIAL, type: 'smtp', data: mailbox.credential };
		const down = { ...smtp, name: 'Mail is down', data: { ...mailbox.credential, port: 9 } };
		const nodes = ['Tell the desk', 'Send the digest', 'Ask for approval', 'Email the customer'];
		const addresses = Object.entries({ emailFrom: DESK, emailTo: DESK }).map(([key, value]) => ({
			...{ id: key, name: key, value, type: 'string' },
		}));
		const variants = (name: string, as?: string): Variant[] => {
			const of = { of: WORKFLOW, ...(as !== undefined && { as }) };
			return [
				{
					...{ ...of, node: 'Settings' },
					set: { includeOtherFields: true, assignments: { assignments: addresses } },
				},
				...nodes.map((node) => ({
					...{ ...of, node, set: {} },
					settings: { credentials: { smtp: { id: null, name } } },
				})),
			];
		};
		const later = (node: string, state: string, as = 'hoursLater'): Variant => ({
			...{ of: WORKFLOW, as, node },
			set: { filters: { conditions: [{ keyName: 'state', condition: 'eq', keyValue: state }] } },
		});
		const always = {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
				conditions: [
					{
						...{ id: 'any', leftValue: '={{ true }}', rightValue: '' },
						operator: { type: 'boolean', operation: 'true', singleValue: true },
					},
				],
				combinator: 'and',
			},
		};
		const anHourLater = (as: string): Variant => ({
			...{ of: WORKFLOW, as, node: 'An hour has passed', set: always },
		});
		environment = await n8n.import(
			[
				...variants(SMTP_CREDENTIAL),
				// It is published for its form. The test itself runs it.
				{
					...{ of: WORKFLOW, node: 'Every minute' },
					set: { rule: { interval: [{ field: 'months' }] } },
				},
				...variants('Mail is down', 'lateWithoutMail'),
				...variants('Mail is down', 'digestWithoutMail'),
				...variants(SMTP_CREDENTIAL, 'anHourLater'),
				...variants(SMTP_CREDENTIAL, 'hoursLater'),
				...[anHourLater('anHourLater'), anHourLater('digestWithoutMail')],
				...[later('Drafts without an answer', 'drafted'), later('Emails left over', 'sending')],
			],
			{ only: [WORKFLOW], credentials: [smtp, down] },
		);
		await environment.session.activate(WORKFLOW);
		const browser = new FormBrowser(environment.baseUrl);
		await waitUntil('the form', async () => (await browser.visit('late-loads')) !== 404);
	});
	afterAll(async () => await environment?.remove());
	afterAll(async () => await mailbox?.close());

	it('sends nothing while no load is late', async () => {
		await add('call_outcomes', { callId: '600', loadNumber: '73600', delayed: false });
		await alert();
		await run('anHourLater');
		expect(mailbox.received()).toEqual([]);
	});

	it('tells the desk of each late load once, also when the first email fails', async () => {
		await add('call_outcomes', late('601'));
		await add('customer_contacts', {
			...{ loadNumber: '73601', customer: 'Prairie Foods', email: 'dock@prairie.example' },
		});
		await run('lateWithoutMail');
		await run('lateWithoutMail');
		expect(await stateOf('601')).toBe('new');
		await alert();
		await alert();
		const alerts = mailbox.received().filter(({ subject }) => subject === 'Load 73601 is late');
		expect(alerts).toHaveLength(1);
		expect(alerts[0]?.text).toContain('45 minutes late, ETA 4 PM, Held at the <dock>');
	});

	it('emails the customer after approval, once, and not before', async () => {
		expect(await stateOf('601')).toBe('drafted');
		expect(sentTo('dock@prairie.example')).toEqual([]);
		expect(await answer('73601', 'Approve')).toContain('The email is sent');
		expect(sentTo('dock@prairie.example')).toMatchObject([
			{ subject: 'Load 73601 is running late', text: expect.stringContaining('New ETA: 4 PM.') },
		]);
		expect(await stateOf('601')).toBe('customer told');
		expect(await answer('73601', 'Approve')).toContain('There is no such draft');
		expect(sentTo('dock@prairie.example')).toHaveLength(1);
		expect(await environment.rows('calls_to_make_by_hand', '73601')).toEqual([]);
	});

	it('asks a person when a draft is declined, unanswered or left over, or has no address', async () => {
		for (const callId of ['602', '604']) {
			await add('customer_contacts', {
				...{ loadNumber: `73${callId}`, customer: 'A', email: `a${callId}@a.example` },
			});
		}
		await add('call_outcomes', late('602'), late('603'), late('604'));
		await add(TABLE, { callId: '605', loadNumber: '73605', state: 'sending', draft: 'ETA: 4 PM' });
		await alert();
		expect(await answer('73602', 'Decline')).toContain('Not sent');
		await run('hoursLater');
		for (const [callId, why] of [
			['602', 'not approved'],
			['603', 'No email'],
			['604', 'Nobody approved'],
			['605', 'n8n stopped'],
		] as const) {
			expect(await environment.rows('calls_to_make_by_hand', `73${callId}`)).toMatchObject([
				{ reason: expect.stringContaining(why), advice: expect.stringContaining('ETA: 4 PM') },
			]);
			expect(await stateOf(callId)).toBe('by hand');
		}
		expect(sentTo('a.example')).toEqual([]);
	});

	it('sends a digest that failed again, and no load in two digests', async () => {
		const digests = () =>
			mailbox.received().filter(({ subject }) => subject?.startsWith('Late loads since'));
		expect(digests()).toEqual([]);
		await run('digestWithoutMail');
		await run('anHourLater');
		await run('anHourLater');
		expect(digests().map(({ subject }) => subject)).toEqual([
			'Late loads since the last digest: 5',
		]);
	});

	it('sends one email about 110 late loads, and one with their drafts', async () => {
		const calls = Array.from({ length: 110 }, (_, nth) => late(String(7000 + nth)));
		const contacts = calls.map(({ loadNumber }) => ({ loadNumber, email: 'all@b.example' }));
		await add('customer_contacts', ...contacts);
		await add('call_outcomes', ...calls);
		const before = mailbox.received().length;
		await alert();
		const subjects = mailbox
			.received()
			.slice(before)
			.map(({ subject }) => subject);
		expect(subjects).toEqual(['110 loads are late', 'Approve: 110 emails about late loads']);
		const states = (await environment.rows(TABLE, undefined, 1000)).map(({ state }) => state);
		expect(states.filter((state) => state === 'drafted')).toHaveLength(110);
	});
}
