import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { timestampSchema } from '../contract.mts';
import { faultRuleSchema } from '../faults.mts';
import { servePage } from '../page/routes.mts';
import type { Delivery, DeliverOptions, InsertedRecords, WebhookAddress } from '../types.mts';
import { isControlRequest, RequestError, validate } from './server.mts';
import { insertRecords } from './place-call.mts';
import type { Service } from './service.mts';

const webhookSchema = z.strictObject({
	url: z.url({ protocol: /^https?$/ }).nullable(),
	secret: z.string().min(1).nullable().optional(),
});

const recordsSchema = z.strictObject({
	organization: z.enum(['north', 'south']).optional(),
	count: z.int().min(1).max(10_000).optional(),
	createdAt: timestampSchema.optional(),
	loadId: z.string().min(1).optional(),
	mcNumber: z.string().min(1).optional(),
	toPhone: z.string().min(1).optional(),
	summary: z.string().optional(),
});

const rulesSchema = z.array(faultRuleSchema).min(1);

const eventSchema = z.looseObject({});

/** The object without undefined fields. */
const without = <T extends object>(fields: object): T =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

const isLoopbackAddress = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);

/** Of a URL: this computer by name or by IP address. */
const isLoopbackHost = (hostname: string): boolean =>
	hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/**
 * A web page of another site, open in a browser on this computer, must not control the sandbox. Its requests name
 * its origin, or, if its name was pointed at this computer after it was loaded (DNS rebinding), its own host.
 */
function assertOwnPage({ headers: { origin, host } }: FastifyRequest): void {
	const url = `http://${host}`;
	if (!URL.canParse(url) || !isLoopbackHost(new URL(url).hostname)) {
		throw new RequestError(403, {
			message: `The sandbox is controlled at http://127.0.0.1 or http://localhost, not at ${url}`,
		});
	}
	if (origin === undefined || origin === url) return;
	throw new RequestError(403, { message: `Pages of ${origin} cannot control the sandbox` });
}

/**
 * Where the control API and the page may send requests: this computer, and the URLs that whoever started the
 * sandbox has set.
 */
export function assertAllowedTarget(url: string, { courier, tmsUrl, testUrl }: Service): void {
	if (isLoopbackHost(new URL(url).hostname)) return;
	if ([courier.startUrl, tmsUrl, testUrl].includes(url)) return;
	throw new RequestError(400, {
		message: `The sandbox sends events to this computer only, not to ${url}. Start it with --webhook-url to send them elsewhere`,
		field: 'url',
	});
}

export interface ControlActions {
	deliver(event: Record<string, unknown>, options?: DeliverOptions): Promise<Delivery>;
	finishCalls(): Promise<void>;
}

/** The routes that control the sandbox, and its page. Only for this machine and the page itself. */
export function serveControlApi(
	app: FastifyInstance,
	service: Service,
	actions: ControlActions,
): void {
	const { faults, ledger, courier } = service;
	app.addHook('onRequest', async (request) => {
		if (!isControlRequest(request)) return;
		if (!isLoopbackAddress(request.ip)) {
			throw new RequestError(403, { message: 'Only this machine can control the sandbox' });
		}
		assertOwnPage(request);
	});
	servePage(app, service, actions);
	app.get('/sandbox/faults', () => faults.list());
	app.delete('/sandbox/faults', () => (faults.clear(), []));
	app.post('/sandbox/faults', (request) => {
		const rules = Array.isArray(request.body)
			? validate(rulesSchema, request.body, 'body')
			: [validate(faultRuleSchema, request.body, 'body')];
		try {
			faults.add(...rules.map((rule) => without<typeof rule & object>(rule) as never));
		} catch (error) {
			throw new RequestError(400, { message: String(error), field: 'endpoint' });
		}
		return faults.list();
	});
	app.get('/sandbox/ledger', () => ({
		...{ requests: ledger.requests(), dialed: ledger.dialed(), deliveries: ledger.deliveries() },
	}));
	app.delete('/sandbox/ledger', () => (ledger.clear(), {}));
	app.post('/sandbox/webhook', (request) => {
		const address = validate(webhookSchema, request.body, 'body');
		if (address.url !== null) assertAllowedTarget(address.url, service);
		courier.setAddress(without<WebhookAddress>(address));
		return { url: address.url };
	});
	app.post('/sandbox/records', (request) => {
		const records = validate(recordsSchema, request.body, 'body');
		return { callIds: insertRecords(service, without<InsertedRecords>(records)) };
	});
	app.post('/sandbox/deliver', (request) => {
		const event = validate(eventSchema, request.body ?? {}, 'body');
		if (courier.hasAddress()) return actions.deliver(event);
		const message = 'No webhook URL is set: POST { "url": … } to /sandbox/webhook first';
		throw new RequestError(400, { message, field: 'url' });
	});
	app.post('/sandbox/finish-calls', async () => (await actions.finishCalls(), {}));
}
