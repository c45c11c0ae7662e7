import { startSandbox, type Sandbox, type SandboxOptions } from '../../../../sandbox/index.mts';
import type { ActivePollerOptions } from '../harness/polling/active-poller.mts';
import { startEngine, type Engine } from '../harness/index.mts';
import { ListService } from './list-service.mts';
import { clock, setClock, start, stopClock } from './simulated-clock.mts';

/**
 * Starts an engine that polls published workflows with a simulated clock, and closes it afterwards.
 */
export function openPublishing() {
	let engine: Engine;
	let sandbox: Sandbox | undefined;
	let service: ListService | undefined;
	beforeAll(async () => {
		engine = await startEngine();
		stopClock();
	});
	afterAll(() => {
		jest.useRealTimers();
		engine.close();
	});
	beforeEach(() => setClock(start));
	afterEach(async () => {
		await sandbox?.close();
		await service?.close();
		sandbox = service = undefined;
	});

	/** A sandbox with a simulated clock, where calls end only when a test ends them. */
	const openSandbox = async (options: SandboxOptions = {}) => {
		sandbox = await startSandbox({
			...{ calls: 0, historyDays: 2, callDelayMs: Number.POSITIVE_INFINITY },
			now: () => new Date(clock.now),
			...options,
		});
		return sandbox;
	};

	/** A service with any records. */
	const openService = async () => {
		service = new ListService();
		await service.open();
		return service;
	};

	/** A published workflow with only the polling trigger. */
	const publish = async (parameters: object, options: ActivePollerOptions = {}) => {
		const credentials = {
			carrierLoadCommunicationsApi: {
				baseUrl: service?.baseUrl ?? sandbox?.baseUrl,
				accessToken: sandbox?.tokens.north ?? 'a-token-of-the-tests',
			},
		};
		const { poller, change } = engine.poller(parameters as never, { ...options, credentials });
		await poller.publish();
		const ids = () => poller.items.map(({ id }) => id);
		return { poller, ids, change: async (given: object) => await change(given as never) };
	};
	return { openSandbox, openService, publish };
}
