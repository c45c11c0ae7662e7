import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { type Sandbox, startSandbox } from '../../../../sandbox/index.mts';
import type { DestinationsEnvironment } from '../support/destinations/environment.mts';
import { type ScriptedModel, startModel } from '../../agents/support/agent-model.mts';

const EXAMPLE = 'callOutcomeFromTranscript';
const COLUMNS = ['eta', 'arrivedAt', 'delayed', 'delayReason', 'offeredRate', 'optOut'];
const NOTHING = Object.fromEntries(COLUMNS.map((name) => [name, null]));

let environment: DestinationsEnvironment;
let model: ScriptedModel;
let sandbox: Sandbox;

/** The end of a call that the list has, with its transcript. */
function event(load: number, transcript: string, more: JsonObject = {}): JsonObject {
	const [callId] = sandbox.insert({ loadId: `48${load}`, transcript });
	return {
		...{ event: 'call_ended', callId, createdAt: '2026-11-20T14:05:00Z' },
		...{ toPhone: '+18155550142', summary: `Summary of ${load}`, ...more },
		inputData: { toPhone: '+18155550142', metadata: { loadNumber: `48${load}` } },
	};
}

/** The columns of a call's row that the extractor may fill in. */
async function columnsOf(load: number): Promise<JsonObject> {
	const rows = (await environment.rows('call_outcomes')).filter(
		(row) => row['loadNumber'] === `48${load}`,
	);
	expect(rows).toMatchObject([{ summary: `Summary of ${load}` }]);
	return Object.fromEntries(COLUMNS.map((name) => [name, rows[0]?.[name] ?? null]));
}

const answer = (values: JsonObject) => JSON.stringify(values);

/** Outcomes read from transcripts. */
export function testTranscripts(given: () => DestinationsEnvironment): void {
	beforeAll(async () => {
		model = await startModel();
		sandbox = await startSandbox({ calls: 10 });
		environment = given();
		const data = { apiKey: 'none', url: model.baseUrl };
		const service = { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north };
		await environment.publish(
			[
				{ name: 'Language model', type: 'openAiApi', data },
				{
					name: 'Carrier Load Communications (sandbox)',
					...{ type: 'carrierLoadCommunicationsApi', data: service },
				},
			],
			[{ id: EXAMPLE, set: {} }],
		);
	});

	afterAll(async () => await model?.close());
	afterAll(async () => await sandbox?.close());

	describe('outcomes read from transcripts, in a real n8n with a scripted model', () => {
		it('keeps what the driver said, in columns', async () => {
			model.script([
				answer({
					...{ eta: 'around 3:15 PM', delayReason: 'they kept me two hours at the dock' },
					...{ runningLate: "I'm running late", askedNotToBeCalled: null },
				}),
			]);
			await environment.deliver(
				EXAMPLE,
				event(
					201,
					'Agent: Where are you now?\nDriver: Near Gary, I’m running late. I’m running late, they kept me two hours at the dock.\nDriver: Around 3:15 PM.'.replaceAll(
						'’',
						"'",
					),
				),
			);
			expect(await columnsOf(201)).toEqual({
				...NOTHING,
				...{ eta: 'around 3:15 PM', delayed: true },
				delayReason: 'they kept me two hours at the dock',
			});
			expect(model.read()).toContain('Near Gary');
		});

		it('drops what nobody said, what only the agent said, and what was said in other words', async () => {
			model.script([
				answer({
					...{ eta: '2026-11-20T21:00:00Z', arrivedAt: '3', delayReason: 'heavy snow' },
					...{ offeredRate: '$2,300', runningLate: 'late', onTime: 'On time.' },
					askedNotToBeCalled: "don't call me again",
				}),
			]);
			await environment.deliver(
				EXAMPLE,
				event(
					202,
					"Agent: Would you take it for $2,300? We don't call again today.\nCarrier: No, 2,450 or nothing. On time, not late, there at 3:15.",
				),
			);
			expect(await columnsOf(202)).toEqual(NOTHING);
		});

		it("takes the event's own data, and doesn't ask the model", async () => {
			model.script([answer({ eta: 'noon' })]);
			await environment.deliver(
				EXAMPLE,
				event(203, 'Driver: At noon.', { extractedData: { ETA: '2:30 PM' } }),
			);
			await environment.deliver(EXAMPLE, event(204, ''));
			expect(await columnsOf(203)).toEqual({ ...NOTHING, eta: '2:30 PM' });
			expect(await columnsOf(204)).toEqual(NOTHING);
			expect(model.read()).toBe('[]');
		});

		it('believes the tags about a delay rather than the model', async () => {
			model.script([answer({ onTime: 'on time', askedNotToBeCalled: 'take me off your list' })]);
			await environment.deliver(
				EXAMPLE,
				event(205, 'Driver: I was on time last week. Please take me off your list.', {
					extractedData: { reached: true, tags: 'check_call,delay' },
				}),
			);
			expect(await columnsOf(205)).toEqual({ ...NOTHING, delayed: true, optOut: true });
		});

		it('keeps one row per call, and what it knows, when a later event says less', async () => {
			const said = 'take me off your list';
			model.script([answer({ eta: '4:30', askedNotToBeCalled: said })]);
			const first = event(207, `Driver: I will be there at 4:30. And ${said}, please.`);
			await environment.deliver(EXAMPLE, first);
			const known = { ...NOTHING, eta: '4:30', optOut: true };
			expect(await columnsOf(207)).toEqual(known);
			model.script([answer({ eta: 'noon' })]);
			const { callId } = first;
			const extractedData = { opted_out: 'no' };
			await environment.deliver(EXAMPLE, { event: 'call_ended', callId, extractedData });
			await environment.deliver(EXAMPLE, { ...first, extractedData, loadNumber: '48207' });
			expect(await columnsOf(207)).toEqual(known);
			expect(model.read()).toBe('[]');
		});

		it('shows the row of a sample, and saves none', async () => {
			expect(await environment.trySample(EXAMPLE)).toMatchObject([{ callId: 'sample' }]);
			const rows = await environment.rows('call_outcomes');
			expect(rows.map(({ callId }) => callId)).not.toContain('sample');
		});

		it('saves the row and asks a person when the model answers nonsense', async () => {
			model.script(['It was a nice call.', 'It was a nice call.', 'It was a nice call.']);
			await environment.deliver(EXAMPLE, event(206, 'Driver: There at 4.'));
			expect(await columnsOf(206)).toEqual(NOTHING);
			expect(await environment.rows('outcomes_to_enter_by_hand')).toMatchObject([
				{ loadNumber: '48206', reason: expect.stringMatching(/./) },
			]);
		});

		it('makes nothing up for 24 calls in one delivery, and mixes up no two of them', async () => {
			const numbers = Array.from({ length: 24 }, (_, nth) => 300 + nth);
			const rate = (callId: number) => 1000 + 7 * callId;
			// Every other answer has the rate of another call, and an ETA that nobody said.
			const isWrong = (callId: number) => callId % 2 === 1;
			model.answer((request) => {
				const callId = Number(/load 48(\d{3})/.exec(request)?.[1]);
				const offered = rate(isWrong(callId) ? callId + 1 : callId);
				return answer({ offeredRate: `$${offered}`, ...(isWrong(callId) && { eta: '5 PM' }) });
			});
			await environment.deliver(EXAMPLE, {
				events: numbers.map((callId) =>
					event(callId, `Agent: About load 48${callId}?\nCarrier: I need $${rate(callId)} for it.`),
				),
			});
			for (const callId of numbers) {
				const offeredRate = isWrong(callId) ? null : rate(callId);
				expect(await columnsOf(callId)).toEqual({ ...NOTHING, offeredRate });
			}
		});
	});
}
