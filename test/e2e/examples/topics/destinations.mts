import { waitUntil } from '../../../support/wait-until.mts';
import * as crm from '../support/destinations/crm.mts';
import type { DestinationsEnvironment } from '../support/destinations/environment.mts';
import { GOOGLE_TOKEN, googleSheets, SPREADSHEET } from '../support/destinations/google-sheets.mts';
import * as graph from '../support/destinations/microsoft-graph.mts';
import { slack, SLACK_TOKEN } from '../support/destinations/slack.mts';

const sheets = googleSheets();
const microsoft = graph.microsoftGraph();
const hubspot = crm.hubspot();
const channel = slack();
/** The stand-ins, to which n8n's requests are led. */
export const services = [sheets, microsoft, hubspot, channel].map(({ service }) => service);

let environment: DestinationsEnvironment;

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const oauth = (access_token: string, more: object = {}) => ({
	...{ clientId: 'id', clientSecret: 'secret' },
	oauthTokenData: { access_token, token_type: 'Bearer', ...more },
});

/** The end of a check call. A later event about the same call may say more. */
const outcome = (callId: number, eta = '2026-11-20T21:00:00Z') => ({
	event: 'call_ended',
	callId,
	createdAt: '2026-11-20T14:05:00Z',
	toPhone: '+18155550142',
	summary: 'Driver <Luis> & Co: =1+1',
	extractedData: { ETA: eta, is_delayed: 'yes', delayReason: 'detention', offered_rate: '$2,450' },
	inputData: { toPhone: '+18155550142', metadata: { loadNumber: loadOf(callId) } },
});
const loadOf = (callId: number) => `48${callId}`;

/** What the service may send later. */
const thin = (callId: number) => ({
	...{ event: 'call_ended', callId, createdAt: outcome(callId).createdAt, status: 'completed' },
	loadNumber: loadOf(callId),
});
const optedOut = (callId: number) => ({
	...outcome(callId),
	extractedData: { ...outcome(callId).extractedData, opted_out: 'yes' },
});

interface Destination {
	id: string;
	/** What the service has, as text. */
	content: () => string[] | Promise<string[]>;
	/** What it has of the first call. */
	expected: string[];
	/** What a sample shows before anything is sent. */
	sample: string;
	/** Whether a later event about the same call adds to what is there. */
	updates: boolean;
	service: (typeof services)[number];
	reason: string;
}

const DESTINATIONS: Array<[string, Destination]> = [
	[
		'Google Sheets',
		{
			id: 'callOutcomeToGoogleSheets',
			content: () => sheets.rows.slice(1).map((row) => JSON.stringify(row)),
			expected: [
				...['"101"', '"48101"', '"+18155550142"', '"reached"', '"detention"', '"2450"'],
				...['"TRUE"', '=1+1'],
			],
			sample: '"eta":"3:15 PM","arrivedAt":null,"delayed":true,"delayMinutes":45',
			updates: true,
			service: sheets.service,
			reason: 'service',
		},
	],
	[
		'Microsoft Excel 365',
		{
			id: 'callOutcomeToExcel365',
			content: () => microsoft.rows.map((row) => JSON.stringify(row)),
			expected: [`"phone":"'+18155550142"`, '"delayed":true', '"offeredRate":2450'],
			sample: '"eta":"3:15 PM"',
			updates: false,
			service: microsoft.service,
			reason: 'service',
		},
	],
	[
		'HubSpot',
		{
			id: 'callOutcomeToHubspot',
			content: () => hubspot.calls.map((call) => JSON.stringify(call)),
			expected: ['"contactIds":["501"]', '"status":"COMPLETED"', 'Driver &lt;Luis> &amp; Co'],
			sample: 'Load 48213: reached\\nETA: 3:15 PM\\nLate: 45 min, detention at the shipper',
			updates: false,
			service: hubspot.service,
			reason: 'service',
		},
	],
	[
		'Slack',
		{
			id: 'callOutcomeToSlack',
			content: () => [...channel.messages.values()],
			expected: ['*Load 48101*: reached', 'Late: detention', 'Driver &lt;Luis&gt; &amp; Co'],
			sample: '*Load 48213*: reached\\nETA: 3:15 PM\\nLate: 45 min, detention at the shipper',
			updates: false,
			service: channel.service,
			reason: 'Backend unavailable',
		},
	],
];

/** The outcomes of calls in other services. */
export function testDestinations(given: () => DestinationsEnvironment): void {
	beforeAll(async () => {
		environment = given();
		await environment.publish(
			[
				['googleSheetsOAuth2Api', 'Google Sheets account', oauth(GOOGLE_TOKEN)],
				['microsoftExcelOAuth2Api', 'Microsoft Excel account', oauth(graph.GRAPH_TOKEN)],
				['hubspotAppToken', 'HubSpot app token', { appToken: crm.HUBSPOT_TOKEN }],
				['slackApi', 'Slack bot token', { accessToken: SLACK_TOKEN }],
			].map(([type, name, data]) => ({
				type: String(type),
				name: String(name),
				data: Object(data),
			})),
			[
				{
					id: 'callOutcomeToGoogleSheets',
					set: { 'Add or update the row': { documentId: byId(SPREADSHEET) } },
				},
				{
					id: 'callOutcomeToExcel365',
					set: {
						'Add the row to the table': {
							workbook: byId(graph.WORKBOOK),
							worksheet: byId(graph.WORKSHEET),
							table: byId(graph.TABLE),
						},
					},
				},
				{ id: 'callOutcomeToHubspot', set: {} },
				{ id: 'callOutcomeToSlack', set: {} },
			],
		);
	});

	describe.each(DESTINATIONS)('the outcome of a call in %s', (name, destination) => {
		const { id, content, expected, sample, updates, service, reason } = destination;
		const about = async (callId: number) =>
			(await content()).filter((text) => text.includes(loadOf(callId)));
		const byHand = async () =>
			(await environment.rows('outcomes_to_enter_by_hand')).filter(
				({ destination: of }) => of === name,
			);

		it('lands once, although its event is delivered twice', async () => {
			await environment.deliver(id, outcome(101));
			await environment.deliver(id, outcome(101));
			const [row, ...others] = await about(101);
			expect(others).toEqual([]);
			for (const part of expected) expect(row).toContain(part);
		});

		it(updates ? 'is updated by a later event' : 'stays one after a later event', async () => {
			await environment.deliver(id, outcome(101, '2026-11-20T23:30:00Z'));
			const rows = await about(101);
			expect(rows).toHaveLength(1);
			expect(rows.join('').includes('23:30')).toBe(updates);
		});

		it('loses nothing to a later event that says less, least of all an opt-out', async () => {
			await environment.deliver(id, optedOut(105));
			const before = await about(105);
			expect(before).toHaveLength(1);
			await environment.deliver(id, thin(105));
			expect(await about(105)).toEqual(before);
			await environment.deliver(id, { ...thin(105), extractedData: { opted_out: 'no' } });
			const [row = ''] = await about(105);
			if (updates) expect(row).toMatch(/"TRUE","2026/);
			expect(row).toContain('detention');
		});

		it('is no row and no message for an event that is not about the end of a call', async () => {
			const before = await content();
			await environment.deliver(id, { event: 'bid_created', loadId: loadOf(106), amount: 1800 });
			expect(await content()).toEqual(before);
		});

		it('is shown for a sample without an account, and the sample goes nowhere', async () => {
			const before = await content();
			const [shown] = await environment.trySample(id);
			expect(shown).toMatchObject({ callId: 'sample', loadNumber: '48213' });
			expect(JSON.stringify(shown)).toContain(sample);
			expect(await content()).toEqual(before);
			const byHand = await environment.rows('outcomes_to_enter_by_hand');
			expect(byHand.map((row) => row['callId'])).not.toContain('sample');
		});

		it('goes to the list for manual entry while the service fails, each with its reason', async () => {
			const before = await content();
			service.failing = 503;
			try {
				await environment.deliver(id, [outcome(102), outcome(103)]);
			} finally {
				service.failing = undefined;
			}
			expect(await byHand()).toMatchObject(
				[102, 103].map((callId) => ({
					callId: String(callId),
					loadNumber: loadOf(callId),
					reason: expect.stringMatching(new RegExp(reason, 'i')),
					summary: outcome(callId).summary,
				})),
			);
			expect(await content()).toEqual(before);
		});

		it('lands when the service works again, and so do all calls of a list', async () => {
			await environment.deliver(id, [outcome(102), outcome(104)]);
			await environment.deliver(id, outcome(104));
			expect([(await about(102)).length, (await about(104)).length]).toEqual([1, 1]);
			expect((await byHand()).map(({ callId }) => callId)).not.toContain('102');
		});

		it('has each call once, or in the list for manual entry, when n8n is killed in the middle', async () => {
			const calls = [121, 122, 123, 124, 125, 126];
			const endsOf = async (callId: number) => ({
				...{ callId, there: (await about(callId)).length },
				listed: (await byHand()).filter((row) => row['callId'] === String(callId)).length,
			});
			const ends = async () => await Promise.all(calls.map(endsOf));
			service.delayMs = 500;
			await environment.send(
				id,
				calls.slice(2).map((callId) => outcome(callId)),
			);
			for (const callId of calls.slice(0, 2)) await environment.send(id, outcome(callId));
			await waitUntil('one call there and all known', async () => {
				const known = await ends();
				return (
					known.some(({ there }) => there > 0) &&
					known.every(({ there, listed }) => there + listed > 0)
				);
			});
			await environment.killAndRestart();
			service.delayMs = 0;
			const left = await ends();
			expect(left.some(({ there }) => there === 0)).toBe(true);
			expect(left.filter(({ there, listed }) => there > 1 || listed > 1)).toEqual([]);
			expect(left.filter(({ there, listed }) => there + listed === 0)).toEqual([]);
			// Of each execution, one may be both: it had arrived, and n8n was killed before it noted that.
			const both = left.filter(({ there, listed }) => there + listed > 1);
			expect(both.length).toBeLessThanOrEqual(3);
			await environment.deliver(
				id,
				calls.map((callId) => outcome(callId)),
			);
			const wrong = (await ends()).filter(({ callId, there, listed }) => {
				const isInDoubt = !updates && both.some((one) => one.callId === callId);
				return isInDoubt ? there < 1 : there !== 1 || listed > 0;
			});
			expect(wrong).toEqual([]);
		});
	});

	describe('a call in HubSpot', () => {
		const tagged = (callId: number, contentTags: string) => ({
			...{ event: 'call_ended', callId, summary: `Call ${callId}`, contentTags },
			...{ toPhone: '+18155550199', loadNumber: loadOf(callId) },
		});

		it('is completed only if it reached someone, and one without a contact stops no other', async () => {
			await environment.deliver('callOutcomeToHubspot', [
				tagged(111, 'voicemail,delay'),
				{ ...tagged(112, 'no_answer'), toPhone: '+18155550142' },
				tagged(113, 'wrong_number'),
				tagged(114, 'on_time'),
			]);
			const statuses = [111, 112, 113, 114].map((callId) => {
				const logged = hubspot.calls.find((call) => JSON.stringify(call).includes(loadOf(callId)));
				return Object(logged?.['metadata']).status;
			});
			expect(statuses).toEqual(['NO_ANSWER', 'NO_ANSWER', 'FAILED', undefined]);
		});
	});

	describe('the requests to the services', () => {
		it('are all as documented, and go nowhere else', () => {
			expect(services.flatMap(({ refused }) => refused)).toEqual([]);
			expect(services.map(({ requests }) => requests.length > 0)).not.toContain(false);
			expect(environment.proxy.strangers).toEqual([]);
		});
	});
}
