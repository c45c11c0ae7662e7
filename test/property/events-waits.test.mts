import fc from 'fast-check';
import { callStage } from '../../nodes/shared/outcome/callOutcome.ts';
import { driver, openDispatch, type Dispatch } from '../engine/support/calls/dispatch.mts';
import { sendEvent } from '../engine/support/calls/waiting.mts';
import { streams, type StreamEvent } from './support/events/streams.mts';

const { EVENT_STREAMS = '10000', ENGINE_RUNS = '150' } = process.env;
const { PROPERTY_SEED = '48213', PROPERTY_PATH } = process.env;
const settings = (numRuns: string) => ({
	numRuns: Number(numRuns),
	seed: Number(PROPERTY_SEED),
	...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
});

const show = (stream: StreamEvent[]) => JSON.stringify(stream, null, '\t');
const firstEnd = (stream: StreamEvent[]) => stream.findIndex(({ isEnd }) => isEnd);

describe("a wait that receives its call's events in any order and shape", () => {
	it('ends on the first event that proves the end, and on no other', () => {
		let [early, missed] = [0, 0];
		const wrong: string[] = [];
		fc.assert(
			fc.property(streams, (stream) => {
				const ended = stream.findIndex(({ event }) => callStage(event) === 'ended');
				if (ended !== -1 && ended < firstEnd(stream)) early += 1;
				if (ended === -1 || ended > firstEnd(stream)) missed += 1;
				if (ended !== firstEnd(stream)) wrong.push(show(stream));
			}),
			settings(EVENT_STREAMS),
		);
		expect({ early, missed, first: wrong[0] }).toEqual({ early: 0, missed: 0 });
	});

	describe('in the engine', () => {
		let dispatch: Dispatch;
		beforeAll(async () => {
			dispatch = await openDispatch();
		});
		afterAll(() => dispatch.close());

		it('ends on the same event', async () => {
			const waiting = { waitForOutcome: 'webhook', waitLimit: 60 };
			const run = await dispatch.run(waiting, { items: [driver()] });
			await fc.assert(
				fc.asyncProperty(streams, async (stream) => {
					let ended = 0;
					for (const { event } of stream) {
						if ((await sendEvent(dispatch, run, event)).answer.started) break;
						ended += 1;
					}
					expect({ ended, stream: show(stream) }).toMatchObject({ ended: firstEnd(stream) });
				}),
				settings(ENGINE_RUNS),
			);
		});
	});
});
