import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Engine } from '../../../engine/support/harness/index.mts';
import { SECRET, Sender, type Shot } from './sender.mts';

/** Requests in all, shared by the tests. */
export const total = Number(process.env['EVENT_RUNS'] ?? 100_000);
const BATCH = 1000;
const seed = 20_260_302;

const credentials = {
	carrierLoadCommunicationsWebhookApi: { method: 'hmac', secret: SECRET, previousSecret: 'former' },
};

async function openTrigger(
	engine: Engine,
	parameters: object,
	started: Set<number>,
	errors: unknown[],
) {
	const webhook = await engine.openWebhook(
		parameters as never,
		(incoming, outcome) => {
			if (outcome.started) started.add(Number(incoming.headers['x-shot']));
			if (outcome.error) errors.push(outcome.error);
		},
		{ credentials, node: { id: randomUUID() } },
	);
	const sender = new Sender(webhook.port);
	return {
		sender,
		close() {
			sender.close();
			webhook.close();
		},
	};
}

/** Sends so many requests, in batches, and hands each batch with its statuses on. */
export const bombardmentOf =
	(engine: () => Engine) =>
	async <Round,>(
		parameters: object,
		share: number,
		rounds: fc.Arbitrary<Round>,
		shotOf: (round: Round) => Shot,
		judge: (shot: Shot, status: number, isStarted: boolean, round: Round) => void,
	): Promise<void> => {
		const started = new Set<number>();
		const errors: unknown[] = [];
		const { sender, close } = await openTrigger(engine(), parameters, started, errors);
		try {
			const count = Math.ceil(total * share);
			for (let done = 0; done < count; done += BATCH) {
				const size = Math.min(BATCH, count - done);
				const batch = fc.sample(rounds, { numRuns: size, seed: seed + done });
				const shots = batch.map(shotOf);
				started.clear();
				const statuses = await sender.fire(shots);
				for (const [index, round] of batch.entries()) {
					const shot = shots[index] as Shot;
					judge(shot, statuses[index] ?? 0, started.has(index), round);
				}
			}
			expect(errors).toEqual([]);
		} finally {
			close();
		}
		expect('polluted' in {}).toBe(false);
		expect(Object.keys(Object.prototype)).toEqual([]);
	};

const inWords = (shot: Shot, status: number) =>
	`${status} for ${shot.body.toString('latin1')} with ${JSON.stringify(shot.headers)}`;

/** Fails with the whole request unless this holds. */
export function demand(holds: boolean, shot: Shot, status: number): void {
	if (!holds) throw new Error(inWords(shot, status));
}
