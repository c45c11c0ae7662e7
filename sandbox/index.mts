import { openArchive } from './data/archive.mts';
import { openBrokerage } from './data/brokerage.mts';
import { createFaultRules } from './faults.mts';
import { createLedger, type Service } from './service/service.mts';
import { insertRecords, openCallsInProgress } from './service/place-call.mts';
import { buildServer, tokens } from './service/server.mts';
import type { DeliverOptions, OrganizationName, Sandbox, SandboxOptions } from './types.mts';
import { openCourier, sampleEvent } from './webhooks.mts';

export type * from './types.mts';
export type { Fault } from './faults.mts';
export { tokens } from './service/server.mts';

/**
 * An ID offset for this start: milliseconds since 2026. Calls of two starts have different IDs as long as
 * a start has fewer calls than milliseconds pass until the next one.
 */
export const newIds = (): number => Date.now() - Date.UTC(2026, 0, 1);

function openService(options: SandboxOptions, closing: AbortSignal, url: () => string): Service {
	const now = options.now ?? (() => new Date());
	const history = {
		seed: options.seed ?? 1,
		calls: options.calls ?? 1000,
		historyDays: options.historyDays ?? 90,
		idOffset: options.idOffset ?? 0,
		end: now().getTime(),
		serviceUrl: url,
	};
	const archive = (organization: OrganizationName) =>
		openArchive(openBrokerage(organization, history));
	const faults = createFaultRules();
	const ledger = createLedger();
	const courier = openCourier({
		url: options.webhookUrl,
		secret: options.webhookSecret,
		shape: options.events ?? 'nested',
		attempts: options.webhookAttempts ?? 4,
		backoffMs: options.webhookBackoffMs ?? 100,
		...{ now, faults, ledger, closing },
	});
	return {
		...{ now, url, faults, ledger, courier, closing },
		archives: { north: archive('north'), south: archive('south') },
		oldestFirst: options.order === 'oldestFirst',
		exclusiveBounds: options.bounds === 'exclusive',
		analyticsDays: options.analyticsDays ?? 366,
		callDelayMs: options.callDelayMs ?? 50,
		latencyMs: options.latencyMs ?? 0,
		startedEvents: options.startedEvents ?? false,
		...{ nextDriverIsLate: false, tmsUrl: null, tmsHeaders: {}, callRecords: new WeakMap() },
		...{ insertedCalls: [], testUrl: null },
		endingOf: options.endingOf,
		liveEvents: options.events !== undefined,
	};
}

/**
 * Starts the simulated service. Resolves once it is listening, rejects if the port is in use. Runs
 * until `close()`.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const closing = new AbortController();
	let baseUrl = '';
	const service = openService(options, closing.signal, () => baseUrl);
	const inProgress = openCallsInProgress();
	let samples = 0;
	const deliver = (event: Record<string, unknown> = {}, how: DeliverOptions = {}) => {
		const sample = sampleEvent(++samples, service.now().toISOString());
		return service.courier.deliver({ ...sample, ...event }, how);
	};
	const finishCalls = () => inProgress.finishAll();
	const app = buildServer(service, inProgress, { deliver, finishCalls });
	const host = options.host ?? '127.0.0.1';
	baseUrl = await app.listen({ host, port: options.port ?? 0 });
	return {
		baseUrl,
		port: Number(new URL(baseUrl).port),
		tokens,
		faults: service.faults,
		ledger: service.ledger,
		setWebhook: (address) => service.courier.setAddress(address),
		setTmsUrl: (tmsUrl, tmsHeaders = {}) => void Object.assign(service, { tmsUrl, tmsHeaders }),
		setTestUrl: (testUrl) => void Object.assign(service, { testUrl }),
		insert: (records) => insertRecords(service, records),
		...{ deliver, finishCalls },
		whenIdle: () => inProgress.whenIdle(),
		async close() {
			closing.abort();
			inProgress.abandon();
			await app.close();
		},
	};
}
