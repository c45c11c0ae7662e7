import { PACKAGE_NAME } from '../../playground/setup/paths.mts';
import { type Sandbox, startSandbox } from '../../sandbox/index.mts';
import { until } from './support/events.mts';
import { TriggerStage } from './support/triggers-stage.mts';

const stage = new TriggerStage();

beforeAll(async () => await stage.open(), 240_000);
afterAll(async () => await stage.close(), 60_000);

describe('the polling trigger', () => {
	let sandbox: Sandbox;
	beforeAll(async () => (sandbox = await startSandbox({ calls: 20 })));
	afterAll(async () => await sandbox?.close());

	it('hands every new call on once, over a poll that failed and a restart of n8n', async () => {
		const name = 'The sandbox';
		await stage.session.createCredential({
			...{ name, type: 'carrierLoadCommunicationsApi' },
			data: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north },
		});
		const id = await stage.create('Poll', {
			...{ type: `${PACKAGE_NAME}.carrierLoadCommunicationsPollingTrigger`, typeVersion: 1 },
			parameters: {
				event: 'newCall',
				pollTimes: { item: [{ mode: 'everyMinute' }] },
			},
			credentials: { carrierLoadCommunicationsApi: { id: null, name } },
		});
		await stage.session.activate(id);
		await until('the first poll', async () => sandbox.ledger.requests('listCalls').length > 0);

		const inserted: number[] = [];
		const seen = async () => {
			const executions = await stage.executionIds(id);
			const items = await Promise.all(
				executions.map(async (one) => await stage.itemsOf(one, 'Poll')),
			);
			return items.flat().map((item) => item['id']);
		};
		const arrived = async () => (await seen()).length >= inserted.length;
		inserted.push(...sandbox.insert({ count: 3 }));
		await until('three calls', arrived, 3);
		const fault = { kind: 'status', status: 500 } as const;
		sandbox.faults.add({ endpoint: 'listCalls', fault, times: 'always' });
		inserted.push(...sandbox.insert({ count: 2 }));
		const failed = async () => (await stage.executionCount(id, 'error')) > 0;
		await until('a poll that n8n shows as failed', failed, 3);
		sandbox.faults.clear();
		await until('two more', arrived, 5);

		const asked = sandbox.ledger.requests('listCalls').length;
		await stage.restart();
		inserted.push(...sandbox.insert({ count: 4 }));
		await until('four more', arrived, 3);
		const polled = async () => sandbox.ledger.requests('listCalls').length > asked + 2;
		await until('more polls', polled, 5);
		expect((await seen()).sort()).toEqual([...inserted].sort());
	}, 1_200_000);
});
