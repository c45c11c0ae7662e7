import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../../sandbox/index.mts';
import { startEngine, type Engine } from '../harness/index.mts';
import { ListService } from './list-service.mts';
import { clock, setClock, start, stopClock } from './simulated-clock.mts';

const credentialType = 'carrierLoadCommunicationsApi';

/**
 * Starts an engine that polls published workflows with a simulated clock, and closes it afterwards.
 */
export function openPublishing() {
	let engine: Engine;
	let sandbox: Sandbox | undefined;
	let service: ListService | undefined;
	let services: ListService[] = [];
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
		for (const each of services) await each.close();
		sandbox = service = undefined;
		services = [];
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
		services.push(service);
		return service;
	};

	/** A published workflow with only the polling trigger. */
	const publish = async (parameters: object, options: Parameters<Engine['poller']>[1] = {}) => {
		const data = {
			baseUrl: service?.baseUrl ?? sandbox?.baseUrl,
			accessToken: sandbox?.tokens.north ?? 'a-token-of-the-tests',
		};
		const credentials = { [credentialType]: data };
		const { poller, change } = engine.poller(parameters as never, { ...options, credentials });
		await poller.publish();
		const ids = () => poller.items.map(({ id }) => id);
		return {
			...{ poller, ids },
			change: async (given: object) => await change(given as never),
			/** Renames the node and publishes it again. */
			rename: async (name: string) => await change(parameters as never, { node: { name } }),
			/** Chooses another credential in the node and publishes it again. */
			chooseCredential: async (by: Partial<typeof data>, given = parameters) => {
				const other = { [credentialType]: { ...data, ...by } };
				await change(given as never, { credentials: other });
			},
			/** Edits the node's credential, which publishes nothing. */
			editCredential: async (by: Partial<typeof data>) => {
				const { [credentialType]: stored } = await engine.credentials.save(credentials);
				if (!stored) throw new Error('The credential is missing');
				const edited = { ...data, ...by } as ICredentialDataDecryptedObject;
				await engine.credentials.updateCredentials(stored, credentialType, edited);
			},
		};
	};
	return { openSandbox, openService, publish };
}
