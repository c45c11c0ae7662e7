import { WEBHOOK_SECRET } from '../../../../playground/setup/import-examples.mts';
import {
	CALLING_WORKFLOW,
	INBOX_WORKFLOW,
	OUTCOME_WORKFLOW,
	outcomeWebhookUrl,
	runSampleCheckCall,
} from '../../../../playground/demo/sample-check-call.mts';
import { exampleWorkflows } from '../../../../playground/demo/examples.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import { type JsonObject, recordsIn } from '../../../../playground/n8n/rest.mts';
import { waitUntil } from '../../../support/wait-until.mts';

const LOAD = '48213';
const OTHER_LOAD = '48299';
const LANE = 'laneToCarriers';
/** The same about another load, for two runs at the same moment. */
const TWICE = 'laneTwice';
/** And as if half an hour had passed since each call. */
const LATER = 'laneLater';
/** About a load whose first carrier can't be called. */
const REFUSED_LOAD = '48296';
const REFUSED = 'laneRefused';
const FIRST_CARRIERS = ['+13185550129', '+12145550173;ext=193', '+13185550197', '+14055550105'];

const NEVER = {
	options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
	conditions: [
		{
			...{ id: 'never', leftValue: '={{ false }}', rightValue: '' },
			operator: { type: 'boolean', operation: 'true', singleValue: true },
		},
	],
	combinator: 'and',
};

function anotherLoad(load: string): JsonObject {
	const lane = exampleWorkflows().find(({ id }) => id === LANE);
	const node = lane?.nodes.find(({ name }) => name === 'The load');
	return JSON.parse(JSON.stringify(node?.['parameters']).replace(LOAD, load));
}

/** The other tests call the same carriers, so that here one may be called more often. */
function offerRules(): JsonObject {
	const lane = exampleWorkflows().find(({ id }) => id === LANE);
	const node = lane?.nodes.find(({ name }) => name === 'Offer the load');
	return Object(Object(node?.['parameters'])['rules']);
}

/** The lane about another load. */
const laneAbout = (as: string, load: string, more: JsonObject = {}): Variant[] => [
	{ of: LANE, as, node: 'Offer the load', set: { pollInterval: 0.2, ...more } },
	{ of: LANE, as, node: 'The load', set: anotherLoad(load) },
];
/** About loads whose first carrier was called, which the list shows without an outcome. */
const DOUBT_LOADS = ['48295', '48293'];
const doubt = (load: string) => `lane${load}`;
/** About a load for which a carrier bids later. */
const LATE_LOAD = '48294';
const LATE = 'laneLateBid';
const NOBODY_ANSWERS = 'firstCallUnanswered';

let environment: ExamplesEnvironment;

const dialed = () => environment.sandbox.ledger.dialed().map(({ toPhone }) => toPhone);
const dialedOnce = async (count: number) =>
	await waitUntil(`call ${count}`, () => dialed().length >= count);

async function carriersOnLane() {
	const { baseUrl, tokens } = environment.sandbox;
	const lane = new URLSearchParams({
		...{ origin: 'Chicago, IL', destination: 'Dallas, TX', radius: '200' },
	});
	const answer = await fetch(`${baseUrl}/api/v1/carriers?${lane.toString()}`, {
		headers: { authorization: `Bearer ${tokens.north}` },
	});
	return recordsIn(await answer.json(), 'carriers');
}

/** The carriers on the lane whose number is in carrier_contacts, in the order in which they are called. */
async function carriersWithNumbers(): Promise<JsonObject[]> {
	const contacts = await environment.rows('carrier_contacts', undefined, 1000);
	const known = contacts.filter(({ phone }) => phone).map(({ dotNumber }) => Number(dotNumber));
	return (await carriersOnLane()).filter(
		({ dotNumber, ruleAssessment }) =>
			known.includes(Number(dotNumber)) && /^pass(ed)?$/i.test(String(ruleAssessment)),
	);
}

function respondWithCarriers(carriers: object[]): void {
	const body = { carriers, pagination: { total: carriers.length } };
	environment.sandbox.faults.add({ endpoint: 'searchCarriers', fault: { kind: 'body', body } });
}

/** What dispatchers do every day. Imports all examples. */
export function testEveryDay(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		environment = await n8n.import([
			{ of: LANE, node: 'Offer the load', set: { pollInterval: 0.2 } },
			{ of: LANE, as: TWICE, node: 'Offer the load', set: { pollInterval: 0.2 } },
			{ of: LANE, as: TWICE, node: 'The load', set: anotherLoad(OTHER_LOAD) },
			{ of: LANE, as: LATER, node: 'Offer the load', set: { pollInterval: 0.2 } },
			{ of: LANE, as: LATER, node: 'The load', set: anotherLoad(OTHER_LOAD) },
			{ of: LANE, as: LATER, node: 'Still on the phone?', set: { conditions: NEVER } },
			{ of: LANE, as: REFUSED, node: 'Offer the load', set: { pollInterval: 0.2 } },
			{ of: LANE, as: REFUSED, node: 'The load', set: anotherLoad(REFUSED_LOAD) },
			{
				...{ of: 'recordingArchive', as: 'recordingsOfAnotherDay', node: 'Calls of yesterday' },
				set: { timeRange: 'custom', startTime: '={{ $now.minus({ seconds: 1 }).toISO() }}' },
			},
			...DOUBT_LOADS.flatMap((load) => laneAbout(doubt(load), load, { waitLimit: 0.1 })),
			...laneAbout(LATE, LATE_LOAD, { rules: { ...offerRules(), maxCallsPerNumber: 20 } }),
			{ of: 'firstCall', node: 'Place check call', set: { pollInterval: 0.2 } },
			{
				...{ of: 'firstCall', as: NOBODY_ANSWERS, node: 'Place check call' },
				set: { pollInterval: 0.2, toPhone: '+13125550190' },
			},
		]);
		const { session, sandbox } = environment;
		for (const id of [INBOX_WORKFLOW, CALLING_WORKFLOW, OUTCOME_WORKFLOW, 'newBidsToTable']) {
			await session.activate(id);
		}
		sandbox.setWebhook({ url: await outcomeWebhookUrl(session), secret: WEBHOOK_SECRET });
		await waitUntil(
			'the first look for new bids',
			() => sandbox.ledger.requests('listBids').length > 0,
		);
	});

	beforeEach(() => environment.sandbox.ledger.clear());

	describe('the examples in a real n8n', () => {
		it('calls the driver of a TMS event once, and saves the outcome in call_outcomes', async () => {
			const job = runSampleCheckCall(environment.session, environment.sandbox, 600_000);
			await dialedOnce(1);
			await environment.sandbox.finishCalls();
			await expect(job).resolves.toMatchObject({
				row: { loadNumber: LOAD, outcome: 'reached' },
				dialed: 1,
			});
			expect(dialed()).toEqual(['+18155550142']);
			// On the hour, the list of calls brings others.
			expect(await environment.rows('call_outcomes', LOAD)).toMatchObject([
				{ loadNumber: LOAD, outcome: 'reached', phone: '+18155550142' },
			]);
		});

		it('places the first call, waits until it has ended, and shows the result in one row', async () => {
			const execution = await environment.start('firstCall');
			expect(await environment.waitForEnd(execution)).toBe('success');
			expect(dialed()).toEqual(['+18155550142']);
			expect(await environment.outputItems(execution, 'Result')).toMatchObject([
				{
					json: {
						...{ loadNumber: '61042', result: 'Called: reached', outcome: 'reached' },
						summary: expect.stringContaining('61042'),
					},
				},
			]);
		});

		it('says of a first call that nobody answered that it reached the voicemail', async () => {
			const execution = await environment.start(NOBODY_ANSWERS);
			expect(await environment.waitForEnd(execution)).toBe('success');
			expect(await environment.outputItems(execution, 'Result')).toMatchObject([
				{ json: { result: 'Called: voicemail', outcome: 'voicemail' } },
			]);
		});

		it('offers a load to one carrier after another, and stops at the first bid', async () => {
			const { sandbox } = environment;
			const execution = await environment.start(LANE);
			await dialedOnce(1);
			await sandbox.finishCalls();
			await dialedOnce(2);
			expect(await environment.waitForEnd(execution)).toBe('success');

			expect(dialed()).toEqual(FIRST_CARRIERS.slice(0, 2));
			expect(sandbox.ledger.dialed().map(({ dotNumber, loadId }) => [dotNumber, loadId])).toEqual([
				[2917710, LOAD],
				[2213756, LOAD],
			]);
			expect(await environment.rows('carrier_answers')).toMatchObject([
				{ dotNumber: 2917710, madeBid: false, answer: expect.stringContaining('asked about') },
				{ dotNumber: 2213756, madeBid: true, loadNumber: LOAD, phone: '+12145550173;ext=193' },
			]);
			expect(await environment.outputItems(execution, 'Carrier found')).toHaveLength(1);
		});

		it('calls no carrier again on the next run, and stops at the same bid', async () => {
			await environment.run(LANE);
			expect(dialed()).toEqual([]);
			// The bid of the first run ends the second after the carrier that was called before.
			expect(await environment.rows('carrier_answers')).toHaveLength(3);
		});

		it('calls no carrier twice in two runs at the same moment and after n8n was killed, and stops at a bid', async () => {
			const { start, waitForEnd, outputItems, rows } = environment;
			const runs = await Promise.all([start(TWICE), start(TWICE)]);
			await dialedOnce(1);
			await environment.killAndRestart();
			for (const id of runs) {
				expect(['crashed', 'success']).toContain(await waitForEnd(id, { finishCalls: false }));
			}
			const [first] = dialed();
			// The first carrier may still be on the phone.
			const soon = await start(TWICE);
			expect(await waitForEnd(soon, { finishCalls: false })).toBe('success');
			expect(await outputItems(soon, 'Run again later')).toHaveLength(1);
			expect(dialed()).toEqual([first]);
			// A call that has no outcome after half an hour holds up no other.
			const later = await start(LATER);
			await dialedOnce(2);
			expect(await waitForEnd(later)).toBe('success');
			const next = await Promise.all([start(TWICE), start(TWICE)]);
			for (const id of next) expect(await waitForEnd(id)).toBe('success');
			await environment.run(TWICE);
			expect(new Set(dialed()).size).toBe(dialed().length);
			const answers = (await rows('carrier_answers')).filter(
				({ loadNumber }) => loadNumber === OTHER_LOAD,
			);
			expect(new Set(answers.map(({ phone }) => phone))).toEqual(new Set(dialed()));
			expect(answers.filter(({ madeBid }) => madeBid).length).toBeGreaterThan(0);
		});

		it('goes on after carriers that could not be called, and calls nobody when there are none', async () => {
			const { sandbox, session } = environment;
			await session.addDataTableRows('do_not_call', [{ phone: FIRST_CARRIERS[2] }]);
			const fault = { kind: 'status', status: 400 } as const;
			sandbox.faults.add({ endpoint: 'triggerCarrierSalesCall', fault, times: 2 });
			await environment.run(REFUSED);
			expect(dialed()[0]).toBe(FIRST_CARRIERS[3]);
			const answers = (await environment.rows('carrier_answers')).filter(
				({ loadNumber }) => loadNumber === REFUSED_LOAD,
			);
			const reasons = ['not placed', 'not placed', 'do-not-call'];
			expect(answers.slice(0, 3)).toMatchObject(
				reasons.map((reason) => ({ madeBid: false, answer: expect.stringContaining(reason) })),
			);
			expect(answers[3]).toMatchObject({ phone: FIRST_CARRIERS[3] });
			respondWithCarriers([]);
			const before = dialed().length;
			await environment.run(REFUSED);
			expect(dialed()).toHaveLength(before);
		});

		it('adds the carriers without a known number to carrier_contacts, each once', async () => {
			const missing = (await environment.rows('carrier_contacts')).filter(({ phone }) => !phone);
			expect(missing.map(({ dotNumber }) => dotNumber)).toEqual([
				1924294, 1750076, 1444776, 1892618,
			]);
		});

		it.each([
			{ dotNumber: 2917710, madeBid: false },
			{ dotNumber: 2213756, madeBid: true },
		])(
			"takes no other carrier's bid for that of carrier $dotNumber, which has no MC number",
			async ({ dotNumber, madeBid }) => {
				const found = (await carriersOnLane()).find((one) => one['dotNumber'] === dotNumber);
				const carriers = [{ ...found, mcNumber: null }];
				respondWithCarriers(carriers);
				expect(await environment.waitForEnd(await environment.start(LANE))).toBe('success');
				const answers = await environment.rows('carrier_answers');
				expect(answers.at(-1)).toMatchObject({ dotNumber, madeBid });
			},
		);

		it('asks a person about carriers whose rule assessment is unknown, once, and leaves out those that failed', async () => {
			const [first, second, third] = await carriersOnLane();
			const { ruleAssessment, ...unassessed } = first ?? {};
			expect(ruleAssessment).toBeDefined();
			const carriers = [
				unassessed,
				{ ...second, ruleAssessment: 'needs review' },
				{ ...third, ruleAssessment: 'fail' },
			];
			environment.sandbox.ledger.clear();
			for (let run = 0; run < 2; run++) {
				respondWithCarriers(carriers);
				await environment.run(LANE);
			}
			expect(dialed()).toEqual([]);
			const asked = (await environment.rows('calls_to_make_by_hand')).filter(({ reason }) =>
				String(reason).startsWith('Rule assessment'),
			);
			expect(asked).toMatchObject([
				{ name: first?.['name'], reason: 'Rule assessment is "missing"', loadNumber: LOAD },
				{ name: second?.['name'], reason: 'Rule assessment is "needs review"', loadNumber: LOAD },
			]);
		});

		it.each([
			{ minutes: 20, load: DOUBT_LOADS[0], next: false },
			{ minutes: 45, load: DOUBT_LOADS[1], next: true },
		])(
			'goes on to the next carrier after a call of $minutes minutes ago without an outcome: $next',
			async ({ minutes, load = '', next }) => {
				const { sandbox } = environment;
				const createdAt = new Date(Date.now() - minutes * 60_000).toISOString();
				const call = { id: 9100 + minutes, createdAt, toPhone: FIRST_CARRIERS[0] };
				const calls = [{ ...call, loadIds: [load], contentTags: '', summary: '' }];
				const body = { calls, pagination: { total: 1, limit: 500, offset: 0 } };
				sandbox.faults.add({
					endpoint: 'listCalls',
					fault: { kind: 'body', body },
					times: 'always',
				});
				respondWithCarriers((await carriersWithNumbers()).slice(0, 2));
				const execution = await environment.start(doubt(load));
				expect(await environment.waitForEnd(execution)).toBe('success');
				sandbox.faults.clear();
				const later = await environment.outputItems(execution, 'Run again later');
				expect([dialed(), later.length]).toEqual(next ? [[FIRST_CARRIERS[1]], 0] : [[], 1]);
			},
		);

		it("stops at a carrier's bid that comes while the next one is on the phone", async () => {
			const { sandbox } = environment;
			// The first two do not bid on the phone.
			const found = await carriersWithNumbers();
			const carriers = [2917710, 1492290, 2213756].flatMap((dot) =>
				found.filter(({ dotNumber }) => dotNumber === dot),
			);
			expect(carriers).toHaveLength(3);
			respondWithCarriers(carriers);
			const execution = await environment.start(LATE);
			await dialedOnce(1);
			await sandbox.finishCalls();
			await dialedOnce(2);
			sandbox.insert({ loadId: LATE_LOAD, mcNumber: String(carriers[0]?.['mcNumber']) });
			await sandbox.finishCalls();
			expect(await environment.waitForEnd(execution)).toBe('success');
			expect(dialed()).toHaveLength(2);
			expect(await environment.outputItems(execution, 'Late bid')).toHaveLength(1);
		});

		it("reports yesterday's figures as one row in two runs at the same moment", async () => {
			await Promise.all([environment.run('yesterdaysReport'), environment.run('yesterdaysReport')]);
			expect(dialed()).toEqual([]);
			const calls = await totalOf('listCalls');
			const bids = await totalOf('listBids');
			const conversations = await totalOf('listConversations');
			const reports = await environment.rows('daily_report');
			expect(reports).toMatchObject([{ calls, bids, conversations }]);
			expect(reports[0]?.['report']).toContain(`${calls} calls`);
			expect(calls).toBeGreaterThan(0);
			expect(bids).toBeGreaterThan(0);
			const { query } = environment.sandbox.ledger.requests('getAnalytics')[0] ?? {};
			expect(query).toMatchObject({ startDate: reports[0]?.['day'], endDate: reports[0]?.['day'] });
		});

		it("downloads each of yesterday's recordings once, and missing ones again on later days", async () => {
			const { sandbox, start, waitForEnd, outputItems, rows } = environment;
			sandbox.faults.add({ endpoint: 'recording', fault: { kind: 'status', status: 404 } });
			const first = await start('recordingArchive');
			expect(await waitForEnd(first)).toBe('success');
			const calls = await totalOf('listCalls', 0);
			const files = await outputItems(first, 'Download');
			expect(files.filter((item) => 'binary' in item)).toHaveLength(calls - 1);
			expect(await rows('recordings')).toHaveLength(calls);
			expect((await rows('recordings')).filter(({ state }) => state === 'missing')).toMatchObject([
				{ fileName: null, note: expect.stringContaining('404') },
			]);

			// Days later, the list of the day before no longer has the call.
			sandbox.ledger.clear();
			await environment.run('recordingsOfAnotherDay');
			expect(sandbox.ledger.requests('recording')).toHaveLength(1);
			await Promise.all([environment.run('recordingArchive'), environment.run('recordingArchive')]);
			expect(sandbox.ledger.requests('recording')).toHaveLength(1);
			const archive = await rows('recordings');
			expect(archive).toHaveLength(calls);
			for (const row of archive) {
				expect(row).toMatchObject({
					state: 'downloaded',
					fileName: expect.stringMatching(/\.wav$/),
				});
				expect(Number(row['fileSizeBytes'])).toBeGreaterThan(1000);
			}
		});

		it('writes each new bid to new_bids once, and no older bids', async () => {
			environment.sandbox.insert({ loadId: '48220', mcNumber: '413658' });
			const { ledger } = environment.sandbox;
			// n8n is asked only once it has polled: each question costs it CPU time.
			await waitUntil('the next poll', () => ledger.requests('listBids').length > 0);
			await waitUntil('the new bid', async () => (await bidsOf('48220')).length > 0);
			expect(await bidsOf('48220')).toMatchObject([
				{ mcNumber: '413658', dotNumber: 2213756, phoneNumber: '+12145550173', extension: '193' },
			]);
			const bids = ledger.requests('listBids').length;
			expect(bids).toBeGreaterThan(0);
			expect(
				(await environment.rows('new_bids')).every(({ loadNumber }) =>
					[LOAD, OTHER_LOAD, REFUSED_LOAD, LATE_LOAD, ...DOUBT_LOADS, '48220'].includes(
						String(loadNumber),
					),
				),
			).toBe(true);
		});

		it('shows the newest bids as messages at a click, without an account for the chat, and places no call', async () => {
			const shown = await bidsAtAClick();
			expect(shown.length).toBeGreaterThan(1);
			expect(shown[0]?.['json']).toEqual({
				message: expect.stringMatching(/^Bid on load \d+(, [^→]+ → .+)?: \S/),
				from: expect.stringMatching(/MC \d+/),
			});
			expect(dialed()).toEqual([]);
		});

		it('keeps one row of each bid when it is executed again in the editor', async () => {
			await bidsAtAClick();
			const rows = await environment.rows('new_bids');
			expect(await bidsAtAClick()).not.toEqual([]);
			expect(await environment.rows('new_bids')).toHaveLength(rows.length);
		});
	});
}

/** The messages that "Execute workflow" shows. */
async function bidsAtAClick() {
	const execution = await environment.start('newBidsToTable', 'New bid');
	expect(await environment.waitForEnd(execution)).toBe('success');
	return await environment.outputItems(execution, 'In words');
}

/** Empty before the file exists. */
async function bidsOf(load: string) {
	return (await environment.rows('new_bids')).filter(({ loadNumber }) => loadNumber === load);
}

/** How many records the sandbox has for a workflow's last request. */
async function totalOf(endpoint: 'listCalls' | 'listBids' | 'listConversations', nth = -1) {
	const { baseUrl, tokens, ledger } = environment.sandbox;
	const asked = ledger.requests(endpoint).at(nth);
	const query = new URLSearchParams({
		startTime: String(asked?.query['startTime']),
		endTime: String(asked?.query['endTime']),
	});
	const answer = await fetch(`${baseUrl}${asked?.path}?${query.toString()}`, {
		headers: { authorization: `Bearer ${tokens.north}` },
	});
	const page: unknown = await answer.json();
	return Number(Object(Object(page).pagination).total);
}
