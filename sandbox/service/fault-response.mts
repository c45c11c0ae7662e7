import type { FastifyReply } from 'fastify';
import type { ResponseFault, FaultOf } from '../faults/fault-schema.mts';
import type { EndpointName, LedgerRequest } from '../types.mts';
import type { ResponseBody } from '../endpoints/endpoint.mts';

const page = (title: string): string =>
	`<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

/** Whether the service handles the request before the fault changes its response. */
export function appliesAfterPlacing(fault: ResponseFault): boolean {
	if (fault.kind === 'truncated') return true;
	if (fault.kind === 'reset' || fault.kind === 'hang') return fault.when === 'after';
	return 'afterPlacing' in fault && fault.afterPlacing === true;
}

function sendStatus(reply: FastifyReply, fault: FaultOf<'status'>, now: Date): FastifyReply {
	const { status, retryAfter, body = 'json' } = fault;
	const message = fault.message ?? `The sandbox was asked to answer ${status}`;
	reply.code(status);
	if (typeof retryAfter === 'number') reply.header('Retry-After', String(retryAfter));
	if (typeof retryAfter === 'object') {
		const date = new Date(now.getTime() + retryAfter.inSeconds * 1000);
		reply.header('Retry-After', date.toUTCString());
	}
	if (body === 'empty') return reply.send();
	if (body === 'html') return reply.type('text/html').send(page(message));
	if (body === 'text') return reply.type('text/plain').send(message);
	return reply.type('application/json').send(JSON.stringify({ message }));
}

function truncate(reply: FastifyReply, entry: LedgerRequest, content: ResponseBody, lie: boolean) {
	const whole = Array.isArray(content) ? Buffer.concat(content) : Buffer.from(content);
	const half = whole.subarray(0, Math.floor(whole.length / 2));
	if (!lie) return reply.type('application/json').send(half);
	reply.hijack();
	entry.status = 200;
	const headers = { 'Content-Type': 'application/json', 'Content-Length': whole.length };
	reply.raw.writeHead(200, headers).write(half, () => reply.raw.destroy());
	return reply;
}

function callResponse(
	fault: FaultOf<'successFalse' | 'callNull' | 'agentStatus'>,
	endpoint: EndpointName,
	content: ResponseBody | undefined,
): string {
	if (fault.kind === 'agentStatus') {
		const answered: object = content === undefined ? { call: null } : JSON.parse(String(content));
		return JSON.stringify({ ...answered, status: fault.status });
	}
	if (fault.kind === 'callNull') {
		const said = endpoint === 'createAgentCall' ? { status: 'success' } : { success: true };
		return JSON.stringify({ ...said, call: null });
	}
	// Contract 4.7: only the carrier sales call has a `message`.
	const usual =
		endpoint === 'triggerCarrierSalesCall'
			? 'The carrier was already called about this load'
			: undefined;
	return JSON.stringify({ success: false, call: null, message: fault.message ?? usual });
}

/** Responds as the fault says. `content` is what the service would have returned, if it ran. */
export function sendFaultResponse(
	reply: FastifyReply,
	fault: ResponseFault,
	entry: LedgerRequest,
	endpoint: EndpointName,
	content: ResponseBody | undefined,
	now: Date,
): FastifyReply {
	switch (fault.kind) {
		case 'status':
			return sendStatus(reply, fault, now);
		case 'html':
			return reply.type('text/html').send(page('Sign in to continue'));
		case 'emptyBody':
			return reply.type('application/json').send('');
		case 'body':
			return reply
				.type('application/json')
				.send(typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? null));
		case 'truncated':
			return truncate(reply, entry, content ?? '', fault.contentLength === true);
		case 'redirect':
			return reply
				.code(fault.status ?? 302)
				.header('Location', fault.to)
				.send();
		case 'reset':
			reply.hijack();
			reply.raw.socket?.resetAndDestroy();
			return reply;
		case 'hang':
			return reply.hijack();
		default:
			return reply.type('application/json').send(callResponse(fault, endpoint, content));
	}
}
