import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type JsonObject, textIn } from '../../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../../playground/setup/paths.mts';
import { type Sandbox, startSandbox } from '../../../sandbox/index.mts';
import { waitUntil } from '../../support/wait-until.mts';
import { TriggersEnvironment } from '../triggers/support/triggers-environment.mts';

// What stops calls across workflows, in a real n8n: the credential's switch, and the limit per person.

const environment = new TriggersEnvironment();
const TYPE = 'carrierLoadCommunicationsApi';
const NAME = 'The service';
let sandbox: Sandbox;
let credential = '';
beforeAll(async () => {
	sandbox = await startSandbox({ calls: 20, seed: 7, callDelayMs: Infinity });
	await environment.open();
	credential = textIn(await environment.session.createCredential(stored('live')), 'id');
});
afterAll(async () => {
	await environment.close();
	await sandbox.close();
});
beforeEach(async () => {
	sandbox.ledger.clear();
	await switchTo('live');
});

const stored = (callMode: string, more: JsonObject = {}) => ({
	...{ name: NAME, type: TYPE },
	data: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north, callMode, ...more },
});

const switchTo = async (callMode: string, more: JsonObject = {}) =>
	await environment.session.updateCredential(credential, stored(callMode, more));

const dialed = () => sandbox.ledger.dialed();

interface Driver {
	phone: string;
	load: string;
}

const drivers = (count: number, prefix: string): Driver[] =>
	Array.from({ length: count }, (_, index) => ({
		phone: `(${[212, 214, 312, 404][index % 4]}) 555-01${String(index % 100).padStart(2, '0')}`,
		load: `${prefix}${index}`,
	}));

/** Starts a workflow that calls these drivers, as a click on Execute Workflow does. Returns its execution. */
async function start(called: Driver[], parameters: JsonObject): Promise<string> {
	const { session } = environment;
	const node = (name: string, type: string, typeVersion: number, of: JsonObject) => ({
		...{ id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters: of },
	});
	const rows = { mode: 'raw', jsonOutput: JSON.stringify({ drivers: called }), options: {} };
	const names = ['Start', 'Drivers', 'Each', 'Call'];
	const created = await session.createWorkflow({
		name: `Calls ${randomUUID()}`,
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Drivers', 'n8n-nodes-base.set', 3.4, rows),
			node('Each', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'drivers', options: {} }),
			{
				...node('Call', `${PACKAGE_NAME}.carrierLoadCommunications`, 1, {
					...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 0 },
					...{ toPhone: '={{ $json.phone }}', loadNumber: '={{ $json.load }}' },
					...parameters,
				}),
				onError: 'continueRegularOutput',
				credentials: { [TYPE]: { id: null, name: NAME } },
			},
		],
		connections: Object.fromEntries(
			names
				.slice(1)
				.map((next, index) => [
					String(names[index]),
					{ main: [[{ node: next, type: 'main', index: 0 }]] },
				]),
		),
	});
	const path = `/rest/workflows/${textIn(created, 'id')}/run`;
	const body = { triggerToStartFrom: { name: 'Start' } };
	return textIn(await session.rest.send('run it', 'POST', path, body), 'executionId');
}

const itemsOf = async (execution: string) => await environment.itemsOf(execution, 'Call');

describe('the Calls setting of the credential, amid two runs of 200 calls', () => {
	const paced = {
		rules: { maxCalls: 500, samePhonePause: 0, skipIfCalledWithin: 0 },
		options: { callsPerMinute: 400 },
	};

	it.each([
		['Paused', 'paused', {}, 'Calls setting is Paused'],
		[
			...(['Test Number', 'testNumber', { testNumber: '(312) 555-0199' }] as const),
			'Calls setting is now Test Number',
		],
	])('stops both within ten seconds with %s', async (label, callMode, more, words) => {
		const executions = [
			await start(drivers(200, `A-${label}-`), paced),
			await start(drivers(200, `B-${label}-`), paced),
		];
		const isOf = (run: string) => dialed().filter(({ loadNumber }) => loadNumber?.startsWith(run));
		await waitUntil('calls of both', () => isOf('A').length > 4 && isOf('B').length > 4);
		await switchTo(callMode, more);
		const switched = Date.now();
		await wait(10_000);
		const count = dialed().length;
		const late = dialed().filter(({ at }) => Date.parse(at) > switched + 10_000);
		expect(late).toEqual([]);
		const ended = await Promise.all(executions.map(itemsOf));
		expect(dialed()).toHaveLength(count);
		// Otherwise, both runs were over before.
		expect(count).toBeLessThan(300);
		const items = ended.flat();
		expect(items).toHaveLength(400);
		expect(items.filter(({ placement }) => placement === 'placed')).toHaveLength(count);
		const stopped = items.filter(({ error }) => error !== undefined);
		expect(stopped).toHaveLength(400 - count);
		for (const { error } of stopped) {
			expect(error).toMatch(/^No phone rang\. The check call to .* was not placed/);
			expect(error).toMatch(words);
		}
	});

	it('lets workflows that start then call the test number only', async () => {
		await switchTo('testNumber', { testNumber: '(312) 555-0199' });
		const items = await itemsOf(await start(drivers(3, 'test-'), { rules: { samePhonePause: 0 } }));
		expect(items).toMatchObject(
			Array(3).fill({
				placement: 'placed',
				placementReason: expect.stringMatching("the credential's Calls setting"),
			}),
		);
		expect(dialed().map(({ toPhone }) => toPhone)).toEqual(Array(3).fill('+13125550199'));
	});
});

it('Max Calls per Person per Day lets 60 loads with one number ring three times, in two workflows at the same time', async () => {
	const loads = drivers(60, 'one-').map((one) => ({ ...one, phone: '(713) 555-0142' }));
	const parameters = {
		...{ rules: { maxCalls: 60, maxCallsPerNumber: 3, samePhonePause: 0, skipIfCalledWithin: 0 } },
		options: { callsInParallel: 4 },
	};
	const executions = await Promise.all([start(loads, parameters), start(loads, parameters)]);
	const items = (await Promise.all(executions.map(itemsOf))).flat();
	expect(dialed()).toHaveLength(3);
	expect(items.filter(({ placement }) => placement === 'placed')).toHaveLength(3);
	const refused = items.filter(({ error }) => error !== undefined);
	expect(refused).toHaveLength(117);
	for (const { error } of refused) {
		expect(error).toMatch(/This number was called 3 times in the last 24 hours/);
	}
});
