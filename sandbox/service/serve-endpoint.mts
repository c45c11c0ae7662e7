import { setTimeout as wait } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LedgerRequest } from '../types.mts';
import type { ResponseBody, Endpoint } from '../endpoints/endpoint.mts';
import { sendFaultResponse, appliesAfterPlacing } from './fault-response.mts';
import { organizationForToken } from './tokens.mts';
import { RequestError } from './request-error.mts';
import type { Service } from './service.mts';

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
export function logRequests(app: FastifyInstance, service: Service): RequestLog {
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

function send(
	reply: FastifyReply,
	entry: LedgerRequest,
	type: string,
	content: ResponseBody,
): FastifyReply {
	if (!Array.isArray(content)) return reply.type(type).send(content);
	// Fastify accepts only one buffer, and copying half a megabyte would take too long for a page.
	reply.hijack();
	entry.status = 200;
	const length = content.reduce((sum, part) => sum + part.length, 0);
	reply.raw.writeHead(200, { 'Content-Type': type, 'Content-Length': length });
	reply.raw.cork();
	for (const part of content) reply.raw.write(part);
	reply.raw.end();
	return reply;
}

/** Serves one endpoint: validates requests and applies the current faults. */
export function serveEndpoint(
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
		if (!fault) return send(reply, entry, type, answer({ organization, listFaults }));
		const content = appliesAfterPlacing(fault) ? answer({ organization, listFaults }) : undefined;
		return sendFaultResponse(reply, fault, entry, endpoint.name, content, service.now());
	};
	const { method, url, name } = endpoint;
	app.route({ method, url, config: { endpoint: name }, handler });
}
