import { createServer } from 'node:http';
import { once } from 'node:events';
import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { isRecord } from '../../../../playground/n8n/rest.mts';
import { BOARD_LOGIN } from '../../../../playground/setup/import-examples.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import type { Variant } from '../support/examples-import.mts';
import { FormBrowser } from '../support/form-browser.mts';
import { type Mailbox, SMTP_CREDENTIAL, startMailbox } from '../support/mailbox.mts';

let environment: ExamplesEnvironment;

/** A run from a trigger, to its end. Fails unless it succeeded. */
async function run(workflow: string, trigger = 'Every minute'): Promise<string> {
	const id = await environment.start(workflow, trigger);
	expect(await environment.waitForEnd(id)).toBe('success');
	return id;
}
const add = async (table: string, ...rows: JsonObject[]) =>
	await environment.session.addDataTableRows(table, rows);

/** Who asks not to be called is on the list for good. */
export function testOptOuts(n8n: ExamplesN8n): void {
	const WORKFLOW = 'optOutLoop';
	const listed = async () =>
		(await environment.rows('do_not_call', undefined, 1000)).filter(({ reason }) =>
			String(reason).startsWith('Asked on'),
		);

	beforeAll(async () => {
		environment = await n8n.import([], { only: [WORKFLOW] });
	});
	afterAll(async () => await environment?.remove());

	it('does nothing without outcomes', async () => {
		await run(WORKFLOW);
		expect(await listed()).toEqual([]);
	});

	it('lists a number once, with date and call, and no later outcome changes that', async () => {
		// The same day in each of the zones in which it can be noon: 11 hours behind to 12 ahead.
		const endedAt = '2026-11-20T11:30:00.000Z';
		const call = { callId: '901', loadNumber: '48401', phone: '+13125550144;ext=7' };
		await add('call_outcomes', { ...call, outcome: 'reached', optOut: true, endedAt });
		await run(WORKFLOW);
		const entry = {
			...{ phone: '+13125550144', loadNumber: '48401', callId: '901' },
			reason: 'Asked on 2026-11-20 not to be called again',
		};
		expect(await listed()).toMatchObject([entry]);
		await add(
			'call_outcomes',
			{ ...call, callId: '902', outcome: 'reached', optOut: true },
			{ ...call, callId: '903', outcome: 'reached', optOut: false },
			{ ...call, callId: '904', outcome: 'reached' },
		);
		await Promise.all([run(WORKFLOW), run(WORKFLOW)]);
		expect(await listed()).toMatchObject([entry]);
	});

	it('asks a person when the call shows no number', async () => {
		await add('call_outcomes', { callId: '905', loadNumber: '48402', optOut: true });
		await run(WORKFLOW);
		await run(WORKFLOW);
		expect(await environment.rows('calls_to_make_by_hand', '48402')).toMatchObject([
			{ reason: expect.stringContaining('Call 905'), reference: 'opt-out 905' },
		]);
	});

	it('takes opt-outs from the list of calls and the form, and no text that would stop all calls', async () => {
		const { session, baseUrl, sandbox } = environment;
		await session.activate(WORKFLOW);
		const browser = new FormBrowser(baseUrl);
		await waitUntil('the form', async () => (await browser.visit('do-not-call')) !== 404);
		expect(await browser.visit('do-not-call')).toBe(401);
		browser.logIn(BOARD_LOGIN);
		await browser.post('do-not-call', '(708) 555-0155', 'Dana, by email');
		await waitUntil('the entry', async () =>
			(await listed()).some(({ phone }) => phone === '(708) 555-0155'),
		);
		await waitUntil('the first poll', () => sandbox.ledger.requests('listCalls').length > 0);
		const summary = 'The driver asked not to be called again.';
		sandbox.insert({ loadId: '48220', toPhone: '+17085550156', summary });
		const rows = (await listed()).length;
		await browser.post('do-not-call', 'the guy from Joliet', '');
		await waitUntil('the manual call', async () =>
			(await environment.rows('calls_to_make_by_hand')).some(
				({ reference }) => reference === 'opt-out the guy from Joliet',
			),
		);
		expect(await listed()).toHaveLength(rows);
		await waitUntil('the opt-out in the list of calls', async () =>
			(await listed()).some(({ phone }) => phone === '+17085550156'),
		);
		expect(sandbox.ledger.dialed()).toEqual([]);
	});
}

/** What a person has to do reaches a person. */
export function testManualCallDesk(n8n: ExamplesN8n): void {
	const WORKFLOW = 'manualCallDesk';
	let mailbox: Mailbox;
	const email = (as?: string, name = SMTP_CREDENTIAL): Variant[] => {
		const values = { emailFrom: 'desk@broker.example', emailTo: 'all@broker.example' };
		const assignments = Object.entries({ ...values, minutes: 30 }).map(([key, value]) => ({
			...{ id: key, name: key, value, type: typeof value },
		}));
		const of = { of: WORKFLOW, ...(as !== undefined && { as }) };
		return [
			{ ...of, node: 'Settings', set: { assignments: { assignments } } },
			{
				...{ ...of, node: 'Send an email', set: {} },
				settings: { credentials: { smtp: { id: null, name } } },
			},
		];
	};
	const slackFails = { disabled: false, credentials: { slackApi: { id: null, name: 'Slack' } } };
	const alwaysOld = {
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

	beforeAll(async () => {
		mailbox = await startMailbox();
		const smtp = { name: SMTP_CREDENTIAL, type: 'smtp', data: mailbox.credential };
		const broken = { ...smtp, name: 'No mail server', data: { ...mailbox.credential, port: 9 } };
		const slack = { name: 'Slack', type: 'slackApi', data: { accessToken: 'none' } };
		environment = await n8n.import(
			[
				...email(),
				...email('halfAnHourLater'),
				{ of: WORKFLOW, as: 'halfAnHourLater', node: 'Wants an alert', set: alwaysOld },
				...email('mailIsDown', 'No mail server'),
				...email('slackIsDown'),
				{
					...{ of: WORKFLOW, as: 'slackIsDown', node: 'Send to Slack' },
					...{ set: {}, settings: slackFails },
				},
				{ of: WORKFLOW, as: 'notSetUp', node: 'Settings', set: {} },
			],
			{ only: [WORKFLOW], credentials: [smtp, broken, slack] },
		);
	});
	afterAll(async () => await environment?.remove());
	afterAll(async () => await mailbox?.close());

	it('sends nothing when there is nothing to do', async () => {
		await run(WORKFLOW);
		expect(mailbox.received()).toEqual([]);
	});

	it('tries again when the message could not be sent', async () => {
		await add('calls_to_make_by_hand', {
			...{ loadNumber: '48411', name: 'Ana Ruiz', phone: '(312) 555-0121' },
			...{ reason: 'No phone rang. <b>Bad</b> number.', advice: 'Ask her dispatcher.' },
		});
		await run('mailIsDown');
		await run('notSetUp');
		expect(await environment.rows('desk_alerts')).toEqual([]);
		await run(WORKFLOW);
		const [mail] = mailbox.received();
		expect(mail?.subject).toBe('1 call to make by hand');
		expect(mail?.text).toContain('load 48411, Ana Ruiz, (312) 555-0121');
		expect(mail?.text).toContain('Ask her dispatcher.');
	});

	it('sends one email, not one a minute, when Slack fails', async () => {
		await add('calls_to_make_by_hand', {
			loadNumber: '48412',
			reason: 'No phone rang.',
			done: false,
		});
		const sent = mailbox.received().length;
		await run('slackIsDown');
		await run('slackIsDown');
		expect(mailbox.received()).toHaveLength(sent + 1);
		await environment.session.updateDataTableRows('calls_to_make_by_hand', 'loadNumber', '48412', {
			done: true,
		});
	});

	it('says each call once, and again while it stays, with its owner', async () => {
		await run(WORKFLOW);
		expect(mailbox.received()).toHaveLength(2);
		const browser = new FormBrowser(environment.baseUrl);
		await environment.session.activate(WORKFLOW);
		await waitUntil('the form', async () => (await browser.visit('manual-calls')) !== 404);
		browser.logIn(BOARD_LOGIN);
		const [row] = await environment.rows('calls_to_make_by_hand', '48411');
		const form = async (state: string) =>
			await (await browser.open('manual-calls')).submit(String(row?.['id']), 'Dana', state);
		expect((await form('I take it')).html).toContain('is saved');
		await run('halfAnHourLater');
		expect(mailbox.received().at(-1)?.text).toMatch(/load 48411.*open since .*Dana/);
		expect((await form('Done')).html).toContain('is saved');
		const sent = mailbox.received().length;
		await run('halfAnHourLater');
		expect(mailbox.received()).toHaveLength(sent);
		const unknown = await (await browser.open('manual-calls')).submit('99999', 'Dana', 'Done');
		expect(unknown.html).toContain('There is no such call');
		await environment.session.deactivate(WORKFLOW);
	});

	it('sends one message about 200 calls, and notes each', async () => {
		const calls = Array.from({ length: 200 }, (_, nth) => ({ loadNumber: `81${nth}` }));
		await add('calls_to_make_by_hand', ...calls);
		const sent = mailbox.received().length;
		await run(WORKFLOW);
		expect(mailbox.received()).toHaveLength(sent + 1);
		expect(mailbox.received().at(-1)?.text).toContain('and 150 more');
		const ids = (await environment.rows('calls_to_make_by_hand', undefined, 500)).map(
			({ id }) => id,
		);
		const alerted = (await environment.rows('desk_alerts', undefined, 500)).map(
			({ rowId }) => rowId,
		);
		expect(alerted.toSorted()).toEqual(ids.toSorted());
	});
}

/** Outcomes reach the TMS, or a person. */
export function testOutcomeToTms(n8n: ExamplesN8n): void {
	const WORKFLOW = 'outcomeToTms';
	const received: JsonObject[] = [];
	let failing = false;
	const tms = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			if (failing) return void response.writeHead(503).end('{"message":"maintenance"}');
			const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
			if (isRecord(body)) received.push({ ...body, key: request.headers['idempotency-key'] });
			response.writeHead(204).end();
		});
	});
	const of = (callId: string) => received.filter((one) => one['callId'] === callId);

	beforeAll(async () => {
		tms.listen(0, '127.0.0.1');
		await once(tms, 'listening');
		const address = tms.address();
		const url = `http://127.0.0.1:${isRecord(address) ? String(address['port']) : ''}/outcomes`;
		const to = { of: WORKFLOW, node: 'Write to the TMS', set: { url } };
		environment = await n8n.import(
			[
				to,
				{ ...to, as: 'anHourLater' },
				{
					of: WORKFLOW,
					as: 'anHourLater',
					node: 'Tried for an hour?',
					set: {
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
					},
				},
			],
			{ only: [WORKFLOW] },
		);
	});
	afterAll(async () => await environment?.remove());
	afterAll(() => void tms.close());

	it('sends nothing without outcomes', async () => {
		await run(WORKFLOW);
		expect(received).toEqual([]);
	});

	it('sends each outcome once, with ETA, delay and call ID, and again when it changed', async () => {
		await add('call_outcomes', {
			...{ callId: '501', loadNumber: '48501', outcome: 'reached', eta: '3 PM', delayed: true },
			...{ delayMinutes: 40, summary: 'Held at the dock', phone: '+13125550144' },
		});
		await run(WORKFLOW);
		await run(WORKFLOW);
		const sent = { callId: '501', loadNumber: '48501', eta: '3 PM', delayMinutes: 40 };
		expect(of('501')).toMatchObject([{ ...sent, delayed: true, outcome: 'reached' }]);
		expect(Object.keys(of('501')[0] ?? {})).not.toContain('phone');
		await environment.session.updateDataTableRows('call_outcomes', 'callId', '501', {
			eta: '4 PM',
		});
		await run(WORKFLOW);
		expect(of('501').map(({ eta }) => eta)).toEqual(['3 PM', '4 PM']);
		expect(of('501')[0]?.['key']).not.toBe(of('501')[1]?.['key']);
	});

	it('sends an ETA although nobody knows how the call ended, and nothing for a call that said nothing', async () => {
		await add(
			'call_outcomes',
			{ callId: '504', loadNumber: '48504', eta: '6 PM' },
			{ callId: '505', loadNumber: '48505', delayed: false },
			{ callId: '506', loadNumber: '48506' },
		);
		await run(WORKFLOW);
		expect(of('504')).toMatchObject([{ loadNumber: '48504', eta: '6 PM', outcome: null }]);
		expect(of('505')).toMatchObject([{ delayed: false }]);
		expect(of('506')).toEqual([]);
	});

	it('tries again while the TMS is down, and asks a person after an hour, once', async () => {
		failing = true;
		await add('call_outcomes', { callId: '502', loadNumber: '48502', outcome: 'voicemail' });
		await run(WORKFLOW);
		expect(await environment.rows('calls_to_make_by_hand', '48502')).toEqual([]);
		failing = false;
		await run(WORKFLOW);
		expect(of('502')).toHaveLength(1);

		failing = true;
		await add('call_outcomes', {
			...{ callId: '503', loadNumber: '48503', outcome: 'reached', eta: '5 PM', summary: 'Late' },
		});
		await run('anHourLater');
		await run('anHourLater');
		expect(await environment.rows('calls_to_make_by_hand', '48503')).toMatchObject([
			{ reason: expect.stringContaining('call 503'), advice: expect.stringContaining('ETA 5 PM') },
		]);
		failing = false;
		await run(WORKFLOW);
		expect(of('503')).toEqual([]);
	});

	it('brings 500 outcomes to the TMS in two runs at the same moment, each under one key', async () => {
		const outcomes = Array.from({ length: 500 }, (_, nth) => ({
			...{ callId: `6${1000 + nth}`, loadNumber: `9${nth}`, outcome: 'reached' },
		}));
		await add('call_outcomes', ...outcomes);
		await Promise.all([run(WORKFLOW), run(WORKFLOW)]);
		await run(WORKFLOW);
		const keys = outcomes.map(({ callId }) => new Set(of(callId).map(({ key }) => key)).size);
		expect(keys.filter((count) => count !== 1)).toEqual([]);
	});
}
