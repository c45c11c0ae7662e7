import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { timestampSchema } from '../contract/values.mts';
import { faultRuleSchema } from '../faults/fault-schema.mts';
import { servePage } from '../page/routes.mts';
import type { Delivery, DeliverOptions, InsertedRecords, WebhookAddress } from '../types.mts';
import { isControlRequest } from './serve-endpoint.mts';
import { insertRecords } from './insert-records.mts';
import { validate, RequestError } from './request-error.mts';
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

const isLoopback = (address: string | undefined): boolean =>
	/^(::ffff:)?127\.|^::1$/.test(address ?? '');

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
		if (!isLoopback(request.ip)) {
			throw new RequestError(403, { message: 'Only this machine can control the sandbox' });
		}
		// A web page from another site, open in a browser on this machine, must not control the
		// sandbox.
		const { origin, host } = request.headers;
		if (origin === undefined || origin === `http://${host}`) return;
		throw new RequestError(403, { message: `Pages of ${origin} cannot control the sandbox` });
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
