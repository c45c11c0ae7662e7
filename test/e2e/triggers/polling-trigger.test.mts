import { PACKAGE_NAME } from '../../../playground/setup/paths.mts';
import { type Sandbox, startSandbox } from '../../../sandbox/index.mts';
import { EVERY_20_SECONDS } from './support/poll-times.mts';
import { TriggersEnvironment } from './support/triggers-environment.mts';
import { waitUntil } from '../../support/wait-until.mts';

const environment = new TriggersEnvironment();

beforeAll(async () => await environment.open());
afterAll(async () => await environment.close());

describe('the polling trigger', () => {
	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox({ calls: 20 })));
	afterAll(async () => await sandbox?.close());

	it('delivers every new call once, despite a failed poll and a restart of n8n', async () => {
		const name = 'The sandbox';
		await environment.session.createCredential({
			...{ name, type: 'carrierLoadCommunicationsApi' },
			data: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north },
		});
		const id = await environment.create('Poll', {
			...{ type: `${PACKAGE_NAME}.carrierLoadCommunicationsPollingTrigger`, typeVersion: 1 },
			parameters: {
				event: 'newCall',
				pollTimes: EVERY_20_SECONDS,
			},
			credentials: { carrierLoadCommunicationsApi: { id: null, name } },
		});
		await environment.session.activate(id);
		await waitUntil('the first poll', async () => sandbox.ledger.requests('listCalls').length > 0);

		const inserted: number[] = [];
		const seen = async () => {
			const executions = await environment.executionIds(id);
			const items = await Promise.all(
				executions.map(async (one) => await environment.itemsOf(one, 'Poll')),
			);
			return items.flat().map((item) => item['callId']);
		};
		const arrived = async () => (await seen()).length >= inserted.length;
		inserted.push(...sandbox.insert({ count: 3 }));
		await waitUntil('three calls', arrived, 600_000);
		const fault = { kind: 'status', status: 500 } as const;
		sandbox.faults.add({ endpoint: 'listCalls', fault, times: 'always' });
		inserted.push(...sandbox.insert({ count: 2 }));
		const failed = async () => (await environment.executionCount(id, 'error')) > 0;
		await waitUntil('a poll that n8n shows as failed', failed, 600_000);
		sandbox.faults.clear();
		await waitUntil('two more', arrived, 600_000);

		const asked = sandbox.ledger.requests('listCalls').length;
		await environment.restart();
		inserted.push(...sandbox.insert({ count: 4 }));
		await waitUntil('four more', arrived, 600_000);
		const polled = async () => sandbox.ledger.requests('listCalls').length > asked + 2;
		await waitUntil('more polls', polled, 600_000);
		expect((await seen()).sort()).toEqual([...inserted].sort());
	});
});
