import { startEngine, type Engine } from '../support/harness/index.mts';
import { open, senderTo } from '../support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());
const send = senderTo(() => engine);

const ended = { event: 'call_ended', callId: 7 };

describe('an event about several loads', () => {
	const about = { ...ended, loadIds: ['48213', 48214] };

	it.each([
		['48213', true],
		['48214', true],
		['48215', false],
	])('passes the filter by load %s: %s', async (loadNumber, passes) => {
		const parameters = { ...open, filters: { loadNumber } };
		for (const body of [about, { event: 'call_ended', data: { call: about } }]) {
			expect((await send(parameters, { body })).started).toBe(passes);
		}
	});
});
