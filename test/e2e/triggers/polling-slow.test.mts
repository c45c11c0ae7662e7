import { setTimeout as wait } from 'node:timers/promises';
import { PACKAGE_NAME } from '../../../playground/setup/paths.mts';
import { ListService } from '../../engine/support/triggers/list-service.mts';
import { waitUntil } from '../../support/wait-until.mts';
import { DURABLE } from './support/durable-cursors.mts';
import { EVERY_20_SECONDS } from './support/poll-times.mts';
import { TriggersEnvironment } from './support/triggers-environment.mts';

// n8n leaves such a poll five seconds: ten, less a margin.
const environment = new TriggersEnvironment({ ...DURABLE, N8N_SCHEDULER_POLL_TIMEOUT: '10' });
const service = new ListService();

beforeAll(async () => {
	await service.open();
	await environment.open();
});
afterAll(async () => {
	await environment.close();
	await service.close();
});

it('calls of one second arrive once although their list takes longer than n8n gives a poll', async () => {
	const name = 'A slow service';
	await environment.session.createCredential({
		...{ name, type: 'carrierLoadCommunicationsApi' },
		data: { baseUrl: service.baseUrl, accessToken: 'a-token-of-the-tests' },
	});
	const id = await environment.create('Poll', {
		...{ type: `${PACKAGE_NAME}.carrierLoadCommunicationsPollingTrigger`, typeVersion: 1 },
		parameters: { event: 'newCall', pollTimes: EVERY_20_SECONDS },
		credentials: { carrierLoadCommunicationsApi: { id: null, name } },
	});
	await environment.session.activate(id);
	await waitUntil('the first poll', () => service.requests > 0);

	service.before = async () => await wait(3000, undefined);
	const made = Date.now();
	const calls = Array.from({ length: 1500 }, (_, index) => index + 1);
	for (const call of calls) {
		const createdAt = new Date(made).toISOString();
		service.add(made, { id: call, createdAt, summary: 'said' });
	}
	const seen = async () => {
		const executions = await environment.executionIds(id);
		const items = await Promise.all(
			executions.map(async (one) => await environment.itemsOf(one, 'Poll')),
		);
		return items.flat().map((item) => item['callId']);
	};
	await waitUntil('the calls', async () => (await seen()).length > 0, 600_000);
	expect((await seen()).sort((one, other) => Number(one) - Number(other))).toEqual(calls);
	expect(await environment.executionCount(id, 'error')).toBe(0);
	expect(environment.log()).not.toContain('Poll exceeded its timeout');
});
