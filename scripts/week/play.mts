import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { exampleWorkflows } from '../../playground/demo/examples.mts';
import { startN8n } from '../../playground/n8n/n8n.mts';
import { type JsonObject, recordsIn, textIn } from '../../playground/n8n/rest.mts';
import {
	type N8nSession,
	productionWebhookUrl,
	waitUntilRegistered,
} from '../../playground/n8n/session.mts';
import {
	SANDBOX_CREDENTIAL,
	SANDBOX_CREDENTIAL_TYPE,
	TMS_KEY,
	TMS_KEY_CREDENTIAL,
	WEBHOOK_CREDENTIAL,
} from '../../playground/setup/import-examples.mts';
import { ROOT } from '../../playground/setup/paths.mts';
import { startSandbox } from '../../sandbox/index.mts';
import { daytimeZone } from '../../sandbox/page/routes.mts';
import type { WebhookEvent } from '../../sandbox/webhooks.mts';
import { openEvents, WeekClock } from './clock.mts';
import { withFaults } from './faults.mts';
import type { Played } from './judge.mts';
import { type CallTruth, drawEnding, makeWeek, randomOf, type SentEvent } from './stories.mts';

export interface PlayOptions {
	loads: number;
	seed: number;
	/** How long the week takes if the machine keeps up, in milliseconds. */
	weekMs: number;
	/** How many events come within three seconds after the TMS was down. */
	burst: number;
	/** Whether the workflows have the faults of faults.mts. */
	planted?: boolean;
	print: (line: string) => void;
}

/** What the burst did to the sender and to n8n. */
export interface BurstFigures {
	events: number;
	/** Milliseconds to the answer that the sender took. */
	slowest: number;
	median: number;
	/** By how many tries it took; 0 for those never accepted. */
	tries: Record<number, number>;
	/** Milliseconds until n8n had placed the calls and written what became of all of them. */
	handledMs: number;
	slowestHealthMs: number;
	/** How many of the requests for n8n's health took longer than half a second, of how many, and when. */
	health: { slow: string[]; asked: number };
	mostMemoryMb: number;
}

const WEBHOOK_TOKEN = 'the-service-tells-nobody';
const WEBHOOK_HEADER = { authorization: `Bearer ${WEBHOOK_TOKEN}` };
/** How often the workflow that calls runs; as published, every 30 seconds. A round takes a second or more. */
const ROUND_SECONDS = 5;
/**
 * How often the list of calls is read again as far back as three hours; as published, every hour. That is all of the
 * week's calls here, 783 of a thousand loads; in a real week, three hours have 14.
 */
const READ_AGAIN_MINUTES = 2;
const TIMEOUT_MS = 15_000;
const TRIES = 4;
const SLOW_HEALTH_MS = 500;
const WORKFLOWS = ['tmsInbox', 'tmsEventToCheckCall', 'callOutcomeToTable'];

/** Plays a week on a real n8n with the published workflows. */
export async function playWeek(
	options: PlayOptions,
): Promise<{ played: Played; burst: BurstFigures; events: JsonObject[] }> {
	const { loads: count, seed, weekMs, print } = options;
	const random = randomOf(seed + 77);
	const week = makeWeek(count, seed, daytimeZone(new Date()));
	const truths = new Map<number, CallTruth>();
	const optedOutAt = new Map<string, number>();
	const endedAt = new Map<string, number>();
	const departedAt = new Map<string, number>();
	const neverAccepted = new Set<string>();
	const pending = new Set<WebhookEvent>();
	let outcomeUrl = '';
	const sandbox = await startSandbox({
		calls: 50,
		callDelayMs: 1_500,
		endingOf: ({ callId, toPhone }) => {
			const truth = drawEnding(random);
			truths.set(callId, truth);
			const { summary, tags } = truth;
			return {
				content: { summary, tags, transcript: `Agent: Hello.\nDriver: ${summary}` },
				send: async (event) => {
					pending.add(event);
					const accepted = await deliver(event, truth);
					if (truth.optOut && accepted !== undefined)
						optedOutAt.set(toPhone.split(';')[0] ?? '', accepted);
					pending.delete(event);
				},
			};
		},
	});

	/** Sends a call's event as the story says. Returns when the first whole one was accepted. */
	async function deliver(
		event: WebhookEvent,
		{ delivery, extracted }: CallTruth,
	): Promise<number | undefined> {
		const whole = { ...event, data: { ...event.data, extractedData: extracted } };
		const { callId, toPhone } = event.data;
		const thin = {
			...event,
			id: `${event.id}-thin`,
			data: { callId, toPhone, status: 'completed' },
		};
		if (delivery === 'lost') return undefined;
		if (delivery === 'late') await wait(weekMs / 100);
		const bodies = {
			...{ once: [whole], twice: [whole, whole], late: [whole] },
			...{ 'thin, then whole': [thin, whole], 'whole, then thin': [whole, thin] },
		}[delivery];
		let accepted: number | undefined;
		for (const body of bodies) {
			if ((await post(outcomeUrl, body, WEBHOOK_HEADER)) && body === whole) accepted ??= Date.now();
		}
		return accepted;
	}

	for (let nth = 0; nth < Math.ceil(count / 10); nth++) {
		sandbox.faults.add({
			endpoint: 'triggerCheckCall',
			skip: nth * 6,
			times: 1,
			fault: { kind: 'reset', when: 'after' },
		});
	}
	const userFolder = mkdtempSync(join(tmpdir(), 'week-'));
	const n8n = await startN8n({
		...{ userFolder, packageDir: ROOT, editor: false, codeNodes: false },
		// As docs/install.md says.
		env: {
			N8N_CONCURRENCY_PRODUCTION_LIMIT: '10',
			N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		},
	});
	try {
		const session = await n8n.login();
		await session.createCredential(TMS_KEY_CREDENTIAL);
		await session.createCredential({
			...WEBHOOK_CREDENTIAL,
			data: { method: 'bearer', token: WEBHOOK_TOKEN },
		});
		await session.createCredential({
			name: SANDBOX_CREDENTIAL,
			type: SANDBOX_CREDENTIAL_TYPE,
			data: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north },
		});
		await createTables(session);
		await session.addDataTableRows('driver_phones', week.list);
		const urls = await publish(session, options.planted === true);
		outcomeUrl = urls.outcome;
		const stopWatching = watch(n8n.baseUrl, n8n.pid);
		const began = Date.now();
		const sentAt = new Set<number>();
		const clock = new WeekClock(session, weekMs, sentAt);
		// Events due while the TMS is down come in one burst, in the middle of the week.
		const sent = week.loads.flatMap(({ number, events }) =>
			events.map((event) => ({ number, event })),
		);
		sent.sort((one, other) => one.event.at - other.event.at);
		const middle = Math.floor(sent.length * 0.45);
		const [before, down, after] = [
			sent.slice(0, middle),
			sent.slice(middle, middle + options.burst),
			sent.slice(middle + options.burst),
		];
		const answers: { ms: number; tries: number }[] = [];
		const sending: Promise<void>[] = [];
		const send = async ({ number, event }: (typeof sent)[number], isBurst = false) => {
			const first = performance.timeOrigin + performance.now();
			sentAt.add(first);
			const answer = await sendEvent(urls.tms, event);
			sentAt.delete(first);
			if (isBurst) answers.push(answer);
			if (answer.tries === 0) return void neverAccepted.add(number);
			const type = textIn(event.body, 'event');
			const accepted = /departed/i.test(type) ? departedAt : endedAt;
			if (/departed|delivered|cancell?ed/i.test(type))
				accepted.set(number, Math.min(accepted.get(number) ?? Infinity, Date.now()));
		};
		const sendOnTime = async (events: typeof sent) => {
			for (const one of events) {
				await clock.until(one.event.at * weekMs);
				sending.push(send(one));
			}
		};
		await sendOnTime(before);
		await clock.until((down.at(-1)?.event.at ?? 0) * weekMs);
		for (const one of down) {
			sending.push(send(one, true));
			await wait(3_000 / down.length);
		}
		const burstEnd = Date.now();
		print(`The burst came after ${seconds(burstEnd - began)} s`);
		const handled = Promise.all(sending.slice(-down.length))
			.then(async () => {
				const events = down.map(({ event }) => event);
				await whenHandled(session, events);
			})
			.then(() => Date.now() - burstEnd);
		await sendOnTime(after);
		await Promise.all(sending);
		print(
			`${sent.length} events sent in ${seconds(Date.now() - began)} s, ${((sent.length * 1_000) / (Date.now() - began)).toFixed(1)} a second; the clock stood still for ${seconds(clock.heldMs)} s of them, so that n8n kept up`,
		);
		await untilDigested(session, sandbox.ledger, pending);
		await sandbox.whenIdle();
		await untilDigested(session, sandbox.ledger, pending);
		clock.stop();
		const dialed = sandbox.ledger.dialed().map(({ callId, loadNumber, toPhone, at }) => ({
			...{ callId, toPhone, at: Date.parse(at) },
			...(loadNumber !== undefined && { loadNumber }),
		}));
		const times = answers.map(({ ms }) => ms).sort((one, other) => one - other);
		const tries: Record<number, number> = {};
		for (const answer of answers) tries[answer.tries] = (tries[answer.tries] ?? 0) + 1;
		const burst = {
			...{
				events: answers.length,
				slowest: times.at(-1) ?? 0,
				median: times[times.length >> 1] ?? 0,
				tries,
			},
			...{ handledMs: await handled, ...stopWatching() },
		};
		const all = async (name: string) => await session.dataTableRows(name, 5_000);
		const played = {
			...{ loads: week.loads, dialed, truths, endedAt, departedAt, optedOutAt, neverAccepted },
			rounds: await rounds(session),
			failed: await failedExecutions(session),
			outcomes: (await all('call_outcomes')).filter(({ callId }) => truths.has(Number(callId))),
			desk: await all('calls_to_make_by_hand'),
		};
		return { played, burst, events: await all('tms_events') };
	} finally {
		await n8n.stop();
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true });
	}
}

/** Imports the workflows as they are, but for their intervals and the pause between two calls to a driver. */
async function publish(
	session: N8nSession,
	planted: boolean,
): Promise<{ tms: string; outcome: string }> {
	const urls: string[] = [];
	for (const id of WORKFLOWS) {
		const example = exampleWorkflows().find((one) => one.id === id);
		if (example === undefined) throw new Error(`There is no example ${id}`);
		const { name, nodes, connections, settings } = planted ? withFaults(example) : example;
		const faster = nodes.map((node) => {
			const { rules, ...parameters } = Object(node['parameters']);
			if (node['type'] === 'n8n-nodes-base.scheduleTrigger') {
				const isRound = id === 'tmsEventToCheckCall';
				const interval = isRound
					? [{ field: 'seconds', secondsInterval: ROUND_SECONDS }]
					: [{ field: 'minutes', minutesInterval: READ_AGAIN_MINUTES }];
				return { ...node, parameters: { rule: { interval } } };
			}
			if (rules === undefined) return node;
			return { ...node, parameters: { ...parameters, rules: { ...rules, samePhonePause: 0 } } };
		});
		await session.createWorkflow({
			id,
			name,
			nodes: faster,
			connections,
			settings: settings ?? {},
		});
		await session.activate(id);
		const workflow = (await session.workflow(id)) ?? {};
		urls.push(productionWebhookUrl(session, workflow));
		if (id !== 'tmsEventToCheckCall')
			await waitUntilRegistered(session, workflow, urls.at(-1) ?? '');
	}
	return { tms: urls[0] ?? '', outcome: urls[2] ?? '' };
}

async function createTables(session: N8nSession): Promise<void> {
	const example = exampleWorkflows().find(({ id }) => id === 'createTheTables');
	if (example === undefined) throw new Error('There is no example createTheTables');
	const { id, name, nodes, connections } = example;
	await session.createWorkflow({ id, name, nodes, connections });
	const begun = await session.rest.send('create the tables', 'POST', `/rest/workflows/${id}/run`, {
		triggerToStartFrom: { name: 'Run once' },
	});
	const execution = textIn(begun, 'executionId');
	while (['new', 'running'].includes(await session.executions.status(execution))) await wait(200);
	const status = await session.executions.status(execution);
	if (status !== 'success') throw new Error(await session.executions.error(execution));
}

async function post(
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
	timeoutMs = TIMEOUT_MS,
) {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(timeoutMs),
		});
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false;
	}
}

/** As a TMS sends: it hangs up after 15 seconds, and tries three more times. */
async function sendEvent(
	url: string,
	{ body, hangsUp }: SentEvent,
): Promise<{ ms: number; tries: number }> {
	if (hangsUp === true) await post(url, body, { [TMS_KEY.name]: TMS_KEY.value }, 20);
	for (let tries = 1; tries <= TRIES; tries++) {
		const began = Date.now();
		if (await post(url, body, { [TMS_KEY.name]: TMS_KEY.value }))
			return { ms: Date.now() - began, tries };
		await wait(1_000 * tries);
	}
	return { ms: Infinity, tries: 0 };
}

/** Waits until n8n has decided about these events, all of which have been sent. For the burst's figure only. */
async function whenHandled(session: N8nSession, events: readonly SentEvent[]): Promise<void> {
	const ids = new Set(events.map(({ body }) => textIn(body, 'eventId')).filter((id) => id !== ''));
	for (const deadline = Date.now() + 600_000; Date.now() < deadline; await wait(1_000)) {
		if (!(await openEvents(session)).some((row) => ids.has(textIn(row, 'eventId')))) return;
	}
}

/** When the workflow that calls ran. */
async function rounds(session: N8nSession): Promise<{ from: number; to: number }[]> {
	const found: { from: number; to: number }[] = [];
	for (let cursor = ''; ; ) {
		const page = await session.executions.page({ workflowId: 'tmsEventToCheckCall', cursor });
		for (const one of recordsIn(page, 'results')) {
			const [from, to] = [textIn(one, 'startedAt'), textIn(one, 'stoppedAt')].map(Date.parse);
			if (from && to) found.push({ from, to });
		}
		cursor = textIn(page, 'nextCursor');
		if (cursor === '') return found;
	}
}

/** Executions that did not end as they should, each with n8n's reason. */
async function failedExecutions(session: N8nSession): Promise<string[]> {
	const pages = await Promise.all(
		['error', 'crashed'].map(
			async (status) => await session.executions.page({ status, limit: 20 }),
		),
	);
	const failed = pages.flatMap((page) => recordsIn(page, 'results'));
	return await Promise.all(
		failed.map(async (one) => {
			const id = textIn(one, 'id');
			return `${textIn(one, 'workflowName')} ${id}: ${await session.executions.error(id)}`;
		}),
	);
}

const seconds = (ms: number) => Math.round(ms / 1_000);

/** Waits until nothing changes any more: the list of calls is read once a minute. */
async function untilDigested(
	session: N8nSession,
	ledger: { dialed(): unknown[] },
	pending: ReadonlySet<unknown>,
) {
	let last = '';
	let since = Date.now();
	for (const deadline = Date.now() + 600_000; Date.now() < deadline; await wait(2_000)) {
		const outcomes = await session.dataTableRows('call_outcomes', 5_000);
		const open = (await openEvents(session)).length;
		const dialed = ledger.dialed().length;
		const whole = outcomes.filter(({ summary }) => summary).length;
		const now = [whole, open, dialed, pending.size].join(' ');
		if (now !== last) [last, since] = [now, Date.now()];
		const isWhole = whole >= dialed && open === 0 && pending.size === 0;
		if (Date.now() - since > (isWhole ? 6_000 : 90_000)) return;
	}
}

/** Watches n8n's health and memory. Returns what ends it. */
function watch(baseUrl: string, pid: number) {
	let [slowestHealthMs, mostMemoryMb] = [0, 0];
	const health: BurstFigures['health'] = { slow: [], asked: 0 };
	const start = Date.now();
	let isOver = false;
	void (async () => {
		for (; !isOver; await wait(250)) {
			const began = Date.now();
			await fetch(`${baseUrl}/healthz`)
				.then(async (answer) => await answer.arrayBuffer())
				.catch(() => undefined);
			const ms = Date.now() - began;
			health.asked++;
			if (ms > SLOW_HEALTH_MS) health.slow.push(`${ms} ms after ${seconds(began - start)} s`);
			slowestHealthMs = Math.max(slowestHealthMs, ms);
			mostMemoryMb = Math.max(mostMemoryMb, memoryOf(pid));
		}
	})();
	return () => {
		isOver = true;
		return { slowestHealthMs, health, mostMemoryMb };
	};
}

function memoryOf(pid: number): number {
	try {
		const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
		return Math.round(Number(line ?? 0) / 1024);
	} catch {
		return 0;
	}
}
