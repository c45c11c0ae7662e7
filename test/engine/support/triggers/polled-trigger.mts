import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../../sandbox/index.mts';
import { startEngine, type Engine } from '../harness/index.mts';
import { clock, setClock, start, stopClock } from './simulated-clock.mts';

/** Starts an engine with a simulated clock for the tests of a file, and closes it afterwards. */
export function openPolls() {
	let engine: Engine;
	let sandbox: Sandbox | undefined;
	beforeAll(async () => {
		engine = await startEngine();
		stopClock();
	});
	afterAll(() => {
		jest.useRealTimers();
		engine.close();
	});
	beforeEach(() => setClock(start));
	afterEach(async () => await sandbox?.close());

	/** A sandbox with a simulated clock, where calls end only when a test ends them. */
	const openSandbox = async (options: SandboxOptions = {}) => {
		sandbox = await startSandbox({
			...{ calls: 40, historyDays: 2, callDelayMs: Number.POSITIVE_INFINITY },
			now: () => new Date(clock.now),
			...options,
		});
		return sandbox;
	};
	return { openSandbox, trigger: (parameters: object) => polled(engine, parameters, sandbox) };
}

/** A trigger that remembers from poll to poll, as in n8n. */
function polled(engine: Engine, parameters: object, sandbox: Sandbox | undefined) {
	let staticData: IDataObject = {};
	const poll = async (mode: 'trigger' | 'manual' = 'trigger') => {
		const credentials = {
			carrierLoadCommunicationsApi: {
				baseUrl: sandbox?.baseUrl,
				accessToken: sandbox?.tokens.north,
			},
		};
		const came = await engine.poll(parameters as never, { credentials, staticData, mode });
		if (came.error === undefined) staticData = came.staticData;
		return came;
	};
	return {
		poll,
		size: () => JSON.stringify(staticData).length,
		/** IDs of the records of one poll, which must succeed. */
		async ids(key = 'id') {
			const { items = [], error } = await poll();
			expect(error).toBeUndefined();
			return items.map((item) => item[key]);
		},
	};
}
