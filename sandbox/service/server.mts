import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';
import * as z from 'zod';
import {
	downloadRecording,
	type Endpoint,
	getAnalytics,
	listEndpoints,
	searchCarriers,
	triggerEndpoints,
} from '../endpoints.mts';
import { appliesAfterPlacing, sendFaultResponse } from '../faults.mts';
import type { EndpointName, LedgerRequest, OrganizationName } from '../types.mts';
import { type ControlActions, serveControlApi } from './control-api.mts';
import { type CallsInProgress, placeCall } from './place-call.mts';
import type { Service } from './service.mts';

declare module 'fastify' {
	interface FastifyContextConfig {
		endpoint?: EndpointName;
	}
}

function errorResponse(error: FastifyError | RequestError): { status: number; body: ErrorBody } {
	if (error instanceof RequestError) return error;
	const status = error.statusCode ?? 500;
	// Fastify's own errors: JSON that can't be parsed, or a body that isn't JSON.
	if (status < 500) return { status, body: { message: error.message, field: 'body' } };
	return { status, body: { message: `The sandbox failed: ${error.message}` } };
}

/** The routes of the service and of the sandbox itself. */
export function buildServer(
	service: Service,
	inProgress: CallsInProgress,
	actions: ControlActions,
): FastifyInstance {
	const app = fastify({
		forceCloseConnections: true,
		// The credential's requests to this machine name the whole URL (RFC 9112, 3.2.2).
		rewriteUrl: ({ url = '/' }) => url.replace(/^http:\/\/[^/]+/, ''),
	});
	const log = logRequests(app, service);
	app.addHook('onRequest', async (_request, reply) => {
		reply.raw.setHeader('Date', service.now().toUTCString());
	});
	app.setErrorHandler<FastifyError | RequestError>((error, _request, reply) => {
		const { status, body } = errorResponse(error);
		return reply.code(status).send(body);
	});
	app.setNotFoundHandler((request, reply) => {
		const path = request.url.split('?', 1)[0];
		return reply.code(404).send({ message: `There is no ${request.method} ${path}` });
	});
	const endpoints = [
		...listEndpoints(service),
		...[searchCarriers, getAnalytics, downloadRecording].map((endpoint) => endpoint(service)),
		...triggerEndpoints((organization, wish) => placeCall(service, inProgress, organization, wish)),
	];
	for (const endpoint of endpoints) serveEndpoint(app, service, log, endpoint);
	serveControlApi(app, service, actions);
	return app;
}

/** Adds a ledger entry for every request to the service, with a known path or not. */
export interface RequestLog {
	entryOf(request: FastifyRequest): LedgerRequest | undefined;
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

/** Whether a request is for the sandbox itself, rather than for the service it simulates. */
export const isControlRequest = (request: FastifyRequest): boolean =>
	request.url.startsWith('/sandbox/') || pathOf(request) === '/';

function newEntry(service: Service, request: FastifyRequest, connection: number): LedgerRequest {
	const { authorization, ...headers } = request.headers;
	return {
		at: service.now().toISOString(),
		endpoint: request.routeOptions.config.endpoint ?? 'unknown',
		...{ method: request.method, path: pathOf(request), headers, connection },
		query: { ...(request.query as object) },
		...{ body: undefined, organization: organizationForToken(authorization), status: null },
	};
}

/** Records requests in the ledger and rejects unauthorized ones. */
function logRequests(app: FastifyInstance, service: Service): RequestLog {
	const entries = new WeakMap<FastifyRequest, LedgerRequest>();
	const connections = new WeakMap<Socket, number>();
	let lastConnection = 0;
	app.addHook('onRequest', async (request) => {
		if (isControlRequest(request)) return;
		const connection = connections.get(request.socket) ?? ++lastConnection;
		connections.set(request.socket, connection);
		const entry = newEntry(service, request, connection);
		entries.set(request, entry);
		service.ledger.writeRequest(entry);
		if (entry.endpoint === 'unknown' || entry.organization !== null) return;
		const reason = request.headers.authorization === undefined ? 'is missing' : 'is not valid';
		throw new RequestError(401, { message: `The access token ${reason}` });
	});
	app.addHook('preHandler', async (request) => {
		const entry = entries.get(request);
		if (entry) entry.body = request.body;
	});
	app.addHook('onSend', async (request, reply) => {
		const entry = entries.get(request);
		if (entry) entry.status = reply.statusCode;
	});
	return { entryOf: (request) => entries.get(request) };
}

/** Serves one endpoint: validates requests and applies the current faults. */
function serveEndpoint(
	app: FastifyInstance,
	service: Service,
	log: RequestLog,
	endpoint: Endpoint,
): void {
	const type = endpoint.name === 'recording' ? 'audio/wav' : 'application/json';
	const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const entry = log.entryOf(request);
		const organization = entry?.organization;
		if (!entry || !organization)
			throw new RequestError(401, { message: 'The access token is missing' });
		const { offset, answer } = endpoint.read(request);
		const due = service.faults.takeForRequest({ endpoint: endpoint.name, organization, offset });
		const latency = service.latencyMs + due.latencyMs;
		if (latency > 0) await wait(latency, undefined, { signal: service.closing });
		const { answer: fault, listFaults } = due;
		if (!fault) return reply.type(type).send(answer({ organization, listFaults }));
		const content = appliesAfterPlacing(fault) ? answer({ organization, listFaults }) : undefined;
		return sendFaultResponse(reply, fault, entry, endpoint.name, content, service.now());
	};
	const { method, url, name } = endpoint;
	app.route({ method, url, config: { endpoint: name }, handler });
}

/**
 * The response to a request the sandbox can't serve. Contract 7 shows no shape, so this is the
 * sandbox's own.
 */
export interface ErrorBody {
	message: string;
	/** The first invalid field. */
	field?: string;
	/** All invalid fields. */
	errors?: { field: string; message: string }[];
}

/** A request that is rejected with a status and a JSON body. */
export class RequestError extends Error {
	readonly status: number;
	readonly body: ErrorBody;

	constructor(status: number, body: ErrorBody) {
		super(body.message);
		this.status = status;
		this.body = body;
	}
}

function namedErrors(error: z.ZodError, where: string): { field: string; message: string }[] {
	return error.issues.flatMap((issue) => {
		const path = issue.path.map(String);
		if (issue.code === 'unrecognized_keys') {
			return issue.keys.map((key) => ({
				field: [...path, key].join('.'),
				message: `is not a parameter of the ${where}`,
			}));
		}
		const missing = issue.code === 'invalid_type' && issue.input === undefined;
		const message = missing ? 'is required' : issue.message;
		return [{ field: path.join('.') || where, message }];
	});
}

/** Parses the value with the schema. Throws a 400 that names the field. */
export function validate<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
	where: 'query' | 'body' | 'path',
): z.output<Schema> {
	const parsed = schema.safeParse(value, { reportInput: true });
	if (parsed.success) return parsed.data;
	const errors = namedErrors(parsed.error, where);
	const [first] = errors;
	throw new RequestError(400, {
		message: first ? `${first.field} ${first.message}` : `The ${where} cannot be read`,
		field: first?.field ?? where,
		errors,
	});
}

/** Converts a query's numbers. Anything else stays text, for the schema to reject. */
export function coerceNumbers(query: unknown, names: readonly string[]): unknown {
	if (typeof query !== 'object' || query === null) return query;
	const entries = Object.entries(query).map(([name, value]: [string, unknown]) => {
		const numeric = typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value);
		return [name, numeric && names.includes(name) ? Number(value) : value];
	});
	return Object.fromEntries(entries);
}

/** The two organizations' bearer tokens. They are valid only in the sandbox. */
export const tokens: Readonly<Record<OrganizationName, string>> = {
	north: 'sandbox-north-token',
	south: 'sandbox-south-token',
};

/** Contract 5: `Authorization: Bearer <token>`; the token identifies the organization. */
function organizationForToken(authorization: string | undefined): OrganizationName | null {
	const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
	if (token === tokens.north) return 'north';
	return token === tokens.south ? 'south' : null;
}
