import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Engine } from '../../../engine/support/harness/index.mts';
import { SECRET, Sender, type WebhookRequest } from './sender.mts';

/** Total number of requests, shared by the tests. */
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
			if (outcome.started) started.add(Number(incoming.headers['x-request-number']));
			if (outcome.error) errors.push(outcome.error);
		},
		{ credentials, node: { id: randomUUID() } },
	);
	return { sender: new Sender(webhook.port), close: () => webhook.close() };
}

/** Sends a number of requests in batches, and passes each with its status to `judge`. */
export const sendManyTo =
	(engine: () => Engine) =>
	async <Round,>(
		parameters: object,
		share: number,
		rounds: fc.Arbitrary<Round>,
		requestOf: (round: Round) => WebhookRequest,
		judge: (request: WebhookRequest, status: number, isStarted: boolean, round: Round) => void,
	): Promise<void> => {
		const started = new Set<number>();
		const errors: unknown[] = [];
		const { sender, close } = await openTrigger(engine(), parameters, started, errors);
		try {
			const count = Math.ceil(total * share);
			for (let done = 0; done < count; done += BATCH) {
				const size = Math.min(BATCH, count - done);
				const batch = fc.sample(rounds, { numRuns: size, seed: seed + done });
				const requests = batch.map(requestOf);
				started.clear();
				const statuses = await sender.sendAll(requests);
				for (const [index, round] of batch.entries()) {
					const request = requests[index] as WebhookRequest;
					judge(request, statuses[index] ?? 0, started.has(index), round);
				}
			}
			expect(errors).toEqual([]);
		} finally {
			close();
		}
		expect('polluted' in {}).toBe(false);
		expect(Object.keys(Object.prototype)).toEqual([]);
	};

const inWords = (request: WebhookRequest, status: number) =>
	`${status} for ${request.body.toString('latin1')} with ${JSON.stringify(request.headers)}`;

/** Fails with the whole request if the condition is false. */
export function expectThat(holds: boolean, request: WebhookRequest, status: number): void {
	if (!holds) throw new Error(inWords(request, status));
}
