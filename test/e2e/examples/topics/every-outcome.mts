import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { isRecord, type JsonObject } from '../../../../playground/n8n/rest.mts';
import { BOARD_LOGIN, WEBHOOK_SECRET } from '../../../../playground/setup/import-examples.mts';
import { OUTCOME_WORKFLOW } from '../../../../playground/demo/sample-check-call.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import { FormBrowser } from '../support/form-browser.mts';
import { type Mailbox, SMTP_CREDENTIAL, startMailbox } from '../support/mailbox.mts';

// Every workflow that works off outcomes and manual calls, in every situation that loses one: each ends once. Counted by
// call, in n8n's tables and in what the TMS and the mail server got.

/** A workflow that works off rows. */
interface Worker {
	workflow: string;
	input: string;
	/** A call's row. Every tenth call goes to a person, where the workflow does that. */
	row: (call: Call) => JsonObject;
	/** How often the call has ended: 1 is right. */
	ends: (call: Call, seen: Seen) => number;
	/** Whether the other company was told. It may be told twice, of the same thing. */
	wasTold: (call: Call) => boolean;
}

interface Call {
	id: string;
	phone: string;
	isForAPerson: boolean;
}

/** All rows of the tables in question. */
type Seen = Record<string, JsonObject[]>;

const FEW = 10;
/** More than an email lists. */
const MANY = 500;
/** So many that n8n can be killed while it saves them. */
const SAVED = 110;
const ADDRESSES = { emailFrom: 'desk@broker.example', emailTo: 'all@broker.example' };
const TABLES = [
	...['do_not_call', 'calls_to_make_by_hand', 'outcomes_sent', 'late_load_alerts', 'desk_alerts'],
];

/** What the TMS got: the keys by which it knows an outcome again, by call. */
const keys = new Map<string, Set<string>>();
let tmsDelayMs = 0;
let tmsIsDown = false;
const tms = createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.on('end', () => {
		if (tmsIsDown) return void response.writeHead(503).end('{"message":"maintenance"}');
		const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
		const call = isRecord(body) ? String(body['callId']) : '';
		const key = String(request.headers['idempotency-key']);
		keys.set(call, (keys.get(call) ?? new Set()).add(key));
		void wait(tmsDelayMs).then(() => response.writeHead(204).end());
	});
});

let environment: ExamplesEnvironment;
let mailbox: Mailbox;
let lastCall = 0;

const rowsWith = (rows: JsonObject[] = [], column: string, value: unknown) =>
	rows.filter((row) => row[column] === value);
const outcome = ({ id, phone }: Call): JsonObject => ({
	...{ callId: id, loadNumber: id, phone, outcome: 'reached', summary: 'Held at the dock' },
});
const isInAnEmail = (text: string) =>
	mailbox.received().some((mail) => String(mail.text).includes(text));

const WORKERS: Worker[] = [
	{
		...{ workflow: 'outcomeToTms', input: 'call_outcomes', row: outcome },
		ends: ({ id }, { outcomes_sent: sent }) => rowsWith(sent, 'callId', id).length,
		wasTold: ({ id }) => keys.get(id)?.size === 1,
	},
	{
		...{ workflow: 'optOutLoop', input: 'call_outcomes' },
		row: (call) => ({ ...outcome(call), optOut: true, ...(call.isForAPerson && { phone: '' }) }),
		ends: ({ id, isForAPerson }, { do_not_call: listed, calls_to_make_by_hand: desk }) =>
			isForAPerson
				? rowsWith(desk, 'reference', `opt-out ${id}`).length
				: rowsWith(listed, 'callId', id).length,
		wasTold: () => true,
	},
	{
		...{ workflow: 'lateLoads', input: 'call_outcomes' },
		row: (call) => ({ ...outcome(call), delayed: true, eta: '4 PM', delayMinutes: 45 }),
		ends({ id, isForAPerson }, { late_load_alerts: alerts, calls_to_make_by_hand: desk }) {
			const [alert, ...others] = rowsWith(alerts, 'callId', id);
			const asked = rowsWith(desk, 'reference', `late ${id}`).length;
			const isRight = alert?.['state'] === (isForAPerson ? 'by hand' : 'drafted');
			return isRight && asked === (isForAPerson ? 1 : 0) ? others.length + 1 : 0;
		},
		wasTold: ({ id, isForAPerson }) =>
			isInAnEmail(`Load ${id}: 45 minutes late`) &&
			(isForAPerson || isInAnEmail(`Load ${id} is running late`)),
	},
	{
		...{ workflow: 'manualCallDesk', input: 'calls_to_make_by_hand' },
		row: ({ id, phone }) => ({
			loadNumber: id,
			phone,
			reference: `own ${id}`,
			reason: 'No answer',
		}),
		ends({ id }, { calls_to_make_by_hand: desk, desk_alerts: alerts }) {
			const [row] = rowsWith(desk, 'reference', `own ${id}`);
			return rowsWith(alerts, 'rowId', row?.['id']).length;
		},
		wasTold: ({ id }) => isInAnEmail(`load ${id}, `),
	},
];
/** The emails have the first hundred or fifty lines. */
const hasAllInOneEmail = ({ workflow }: Worker, calls: Call[]) =>
	calls.length <= FEW || ['outcomeToTms', 'optOutLoop'].includes(workflow);

/** Calls that no other test has, each with a number that no other has. */
function newCalls(count: number): Call[] {
	return Array.from({ length: count }, (_, nth) => {
		const unique = lastCall++;
		const line = String(unique % 100).padStart(2, '0');
		const phone = `+1${201 + Math.floor(unique / 100)}55501${line}`;
		return { id: String(910_000 + unique), phone, isForAPerson: nth % 10 === 7 };
	});
}

async function add({ workflow, input, row }: Worker, calls: Call[]): Promise<void> {
	if (workflow === 'lateLoads') {
		const known = calls.filter(({ isForAPerson }) => !isForAPerson);
		const contacts = known.map(({ id }) => ({ loadNumber: id, email: `dock${id}@a.example` }));
		await environment.session.addDataTableRows('customer_contacts', contacts);
	}
	await environment.session.addDataTableRows(input, calls.map(row));
}

async function run({ workflow }: Worker, copy = ''): Promise<void> {
	const id = await environment.start(`${workflow}${copy}`, 'Every minute');
	expect([workflow, await environment.waitForEnd(id, { finishCalls: false })]).toEqual([
		workflow,
		'success',
	]);
}

async function wrongEnds(worker: Worker, calls: Call[]): Promise<unknown[]> {
	const seen: Seen = {};
	for (const table of TABLES) seen[table] = await environment.rows(table, undefined, 5000);
	const isTold = (call: Call) => !hasAllInOneEmail(worker, calls) || worker.wasTold(call);
	return calls
		.map((call) => ({ ...call, ends: worker.ends(call, seen), isTold: isTold(call) }))
		.filter(({ ends, isTold: told }) => ends !== 1 || !told);
}

const settings = (values: JsonObject, more: JsonObject = {}) => ({
	...more,
	assignments: {
		assignments: Object.entries(values).map(([key, value]) => ({
			...{ id: key, name: key, value, type: typeof value },
		})),
	},
});

function variants(url: string): Variant[] {
	const smtp = { settings: { credentials: { smtp: { id: null, name: SMTP_CREDENTIAL } } } };
	const late = { of: 'lateLoads' };
	const leftOver = { conditions: [{ keyName: 'state', condition: 'eq', keyValue: 'sending' }] };
	const ofLate = (as?: string): Variant[] => {
		const of = { ...late, ...(as !== undefined && { as }) };
		const nodes = ['Tell the desk', 'Send the digest', 'Ask for approval', 'Email the customer'];
		return [
			{ ...of, node: 'Settings', set: settings(ADDRESSES, { includeOtherFields: true }) },
			...nodes.map((node) => ({ ...of, ...smtp, node, set: {} })),
		];
	};
	return [
		{ of: 'outcomeToTms', node: 'Write to the TMS', set: { url } },
		...ofLate(),
		...ofLate('lateLoadsLater'),
		// It is published for its form. The test itself runs it.
		{ ...late, node: 'Every minute', set: { rule: { interval: [{ field: 'months' }] } } },
		{ ...late, as: 'lateLoadsLater', node: 'Emails left over', set: { filters: leftOver } },
		{ of: 'manualCallDesk', node: 'Settings', set: settings({ ...ADDRESSES, minutes: 30 }) },
		{ of: 'manualCallDesk', node: 'Send an email', set: {}, ...smtp },
	];
}

/** Every worker in every situation. Kills n8n. */
export function testEveryOutcome(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		tms.listen(0, '127.0.0.1');
		await once(tms, 'listening');
		const address = tms.address();
		const url = `http://127.0.0.1:${isRecord(address) ? String(address['port']) : ''}/outcomes`;
		mailbox = await startMailbox();
		const smtp = { name: SMTP_CREDENTIAL, type: 'smtp', data: mailbox.credential };
		const only = [OUTCOME_WORKFLOW, ...WORKERS.map(({ workflow }) => workflow)];
		environment = await n8n.import(variants(url), { only, credentials: [smtp] });
	});
	afterAll(async () => await environment?.remove());
	afterAll(async () => await mailbox?.close());
	afterAll(() => void tms.close());

	describe.each(WORKERS)('$workflow', (worker) => {
		it(`ends each of ${MANY} calls once in two runs at the same moment`, async () => {
			const calls = newCalls(MANY);
			await add(worker, calls);
			await Promise.all([run(worker), run(worker)]);
			// Late loads are told first, and drafted a minute later.
			if (worker.workflow === 'lateLoads') await Promise.all([run(worker), run(worker)]);
			expect(await wrongEnds(worker, calls)).toEqual([]);
		});
	});

	it('call_outcomes has one row with all that three events at the same moment say of a call', async () => {
		const { sandbox, session } = environment;
		const url = await environment.publish(OUTCOME_WORKFLOW);
		sandbox.setWebhook({ url, secret: WEBHOOK_SECRET });
		const calls = newCalls(FEW);
		const parts = [{ summary: 'Held at the dock' }, { eta: '4 PM' }, { opted_out: 'yes' }];
		const events = calls.flatMap(({ id, phone, isForAPerson }) =>
			parts.map(({ summary, ...extractedData }) => ({
				...{ event: 'call_ended', callId: Number(id), loadNumber: id, extractedData },
				toPhone: isForAPerson ? 'anonymous' : `${phone};ext=7`,
				...(summary !== undefined && { summary }),
			})),
		);
		// A busy n8n may close a connection. The service then delivers the event again.
		const deliveries = events.map(async (event) => {
			await waitUntil('n8n to accept an event', async () => {
				const { status } = await sandbox.deliver({}, { rawBody: JSON.stringify(event) });
				return status === 200;
			});
		});
		await Promise.all(deliveries);
		const rowsOf = async ({ id }: Call) =>
			rowsWith(await environment.rows('call_outcomes', undefined, 5000), 'callId', id);
		const isWhole = ([row]: JsonObject[]) =>
			row?.['optOut'] === true && row['eta'] === '4 PM' && row['summary'] === parts[0]?.summary;
		await waitUntil('all events', async () => {
			const rows = await Promise.all(calls.map(rowsOf));
			return rows.every(isWhole);
		});
		await session.deactivate(OUTCOME_WORKFLOW);
		for (const call of calls) expect(await rowsOf(call)).toHaveLength(1);
		const loop = WORKERS.filter(({ workflow }) => workflow === 'optOutLoop');
		for (const worker of loop) {
			await run(worker);
			expect(await wrongEnds(worker, calls)).toEqual([]);
		}
	});

	it('call_outcomes keeps what a call said when later events say less or the contrary, and takes nothing from strangers', async () => {
		const { sandbox, session } = environment;
		const url = await environment.publish(OUTCOME_WORKFLOW);
		sandbox.setWebhook({ url, secret: WEBHOOK_SECRET });
		const [call] = newCalls(1);
		if (call === undefined) throw new Error('There is no call');
		const { id, phone } = call;
		const ended = { event: 'call_ended', callId: Number(id), toPhone: phone };
		const whole = {
			...{ ...ended, loadNumber: id, summary: 'Held at the dock' },
			extractedData: { eta: '4 PM', opted_out: 'yes' },
		};
		const headers = { 'content-type': 'application/json' };
		const stranger = await fetch(url, { method: 'POST', headers, body: JSON.stringify(whole) });
		expect(stranger.status).toBe(401);
		const rowsOf = async () =>
			rowsWith(await environment.rows('call_outcomes', undefined, 5000), 'callId', id);
		expect(await rowsOf()).toEqual([]);
		const events = [
			...[whole, { ...ended, loadNumber: id, contentTags: 'check_call' }],
			...[{ ...ended, loadNumber: id, extractedData: { opted_out: 'no' } }],
			{ ...ended, extractedData: { delay_reason: 'flat tire' } },
		];
		for (const [nth, event] of events.entries()) {
			await waitUntil('n8n to accept the event', async () => {
				const { status } = await sandbox.deliver({}, { rawBody: JSON.stringify(event) });
				return status === 200;
			});
			await waitUntil('the event to be read', async () => {
				const newest = await session.executions.newest(OUTCOME_WORKFLOW);
				const isOpen = ({ status }: JsonObject) => ['new', 'running'].includes(String(status));
				const [row] = await rowsOf();
				return !newest.some(isOpen) && row !== undefined && (nth < 3 || row['delayReason'] !== '');
			});
		}
		await session.deactivate(OUTCOME_WORKFLOW);
		expect(await rowsOf()).toMatchObject([
			{
				...{ loadNumber: id, eta: '4 PM', summary: 'Held at the dock', optOut: true },
				delayReason: 'flat tire',
			},
		]);
	});

	it('all end each call once when the TMS and the mail server fail and n8n is killed in the middle', async () => {
		const given = new Map(WORKERS.map((worker) => [worker, newCalls(FEW)]));
		for (const [worker, calls] of given) await add(worker, calls);
		[tmsIsDown, mailbox.isDown] = [true, true];
		for (const worker of WORKERS) await run(worker);
		[tmsIsDown, mailbox.isDown] = [false, false];
		[tmsDelayMs, mailbox.delayMs] = [2500, 2500];
		const mails = mailbox.received().length;
		for (const { workflow } of WORKERS) await environment.start(workflow, 'Every minute');
		await waitUntil('an email and a request', () => {
			const known = [...given].some(([, calls]) => calls.some(({ id }) => keys.has(id)));
			return known && mailbox.received().length > mails;
		});
		await environment.killAndRestart();
		[tmsDelayMs, mailbox.delayMs] = [0, 0];
		for (let round = 0; round < 2; round++) for (const worker of WORKERS) await run(worker);
		for (const [worker, calls] of given) {
			expect([worker.workflow, await wrongEnds(worker, calls)]).toEqual([worker.workflow, []]);
		}
	});

	it('a customer is written to at most once when two people approve and n8n is killed', async () => {
		const worker = WORKERS.find(({ workflow }) => workflow === 'lateLoads');
		if (worker === undefined) throw new Error('There is no such worker');
		const [call] = newCalls(1);
		if (call === undefined) throw new Error('There is no call');
		const { id } = call;
		await add(worker, [call]);
		await run(worker);
		await run(worker);
		await environment.session.activate('lateLoads');
		const browser = new FormBrowser(environment.baseUrl);
		await waitUntil('the form', async () => (await browser.visit('late-loads')) !== 404);
		browser.logIn(BOARD_LOGIN);
		const rowOf = async () =>
			(await environment.rows('late_load_alerts', undefined, 5000)).find(
				({ callId }) => callId === id,
			);
		const number = String((await rowOf())?.['id']);
		const toCustomer = () =>
			mailbox.received().filter(({ to }) => JSON.stringify(to).includes(`dock${id}@`)).length;
		mailbox.delayMs = 20_000;
		const approve = async () => {
			const page = await browser.open('late-loads');
			await page.submit(number, 'Approve').catch(() => undefined);
		};
		const approvals = Promise.all([approve(), approve()]);
		await waitUntil('the email', () => toCustomer() > 0);
		await environment.killAndRestart();
		await approvals.catch(() => undefined);
		mailbox.delayMs = 0;
		await run(worker, 'Later');
		await run(worker, 'Later');
		expect(toCustomer()).toBe(1);
		expect(await rowOf()).toMatchObject({ state: 'by hand' });
		expect(await environment.rows('calls_to_make_by_hand', id)).toMatchObject([
			{ reason: expect.stringContaining('may have got it') },
		]);
	});

	it.each(['the events', 'the list'])(
		'call_outcomes has one row for each call when n8n is killed while it saves what %s said',
		async (source) => {
			const { sandbox, session } = environment;
			const polls = () => sandbox.ledger.requests('listCalls').length;
			const earlier = polls();
			const url = await environment.publish(OUTCOME_WORKFLOW);
			sandbox.setWebhook({ url, secret: WEBHOOK_SECRET });
			await waitUntil('the first poll', () => polls() > earlier);
			const calls = newCalls(SAVED);
			const summary = 'The driver is on time.';
			const events = calls.map(({ id, phone }) => {
				const [callId] = sandbox.insert({ loadId: id, toPhone: phone, summary });
				return { event: 'call_ended', callId, loadNumber: id, toPhone: phone, summary };
			});
			const sent = source === 'the list' ? [] : events;
			let accepted = 0;
			const deliveries = Promise.allSettled(
				sent.map(async (event) => {
					const { status } = await sandbox.deliver({}, { rawBody: JSON.stringify(event) });
					if (status === 200) accepted++;
				}),
			);
			const saved = async () => {
				const rows = await environment.rows('call_outcomes', undefined, 5000);
				return calls.map(({ id }) => rowsWith(rows, 'loadNumber', id).length);
			};
			const count = async () => (await saved()).filter((rows) => rows > 0).length;
			const begun = async () => (source === 'the list' ? await count() : accepted);
			await waitUntil('the first calls', async () => (await begun()) > 2);
			const before = await begun();
			await environment.killAndRestart();
			await deliveries;
			expect(before).toBeLessThan(SAVED);
			const hourly = await environment.start(OUTCOME_WORKFLOW, 'Every hour');
			expect(await environment.waitForEnd(hourly, { finishCalls: false })).toBe('success');
			expect(await saved()).toEqual(calls.map(() => 1));
			await session.deactivate(OUTCOME_WORKFLOW);
		},
	);
}
