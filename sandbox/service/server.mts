import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { EndpointName } from '../types.mts';
import { type AdminActions, serveAdmin } from './admin.mts';
import type { CallsInProgress } from './calls-in-progress.mts';
import { keepDoor, serve } from './gate.mts';
import { listEndpoints } from './lists.mts';
import { downloadRecording, getAnalytics, searchCarriers } from './lookups.mts';
import { placeCall } from './placing.mts';
import { Refusal, type RefusalBody } from './refusal.mts';
import type { Service } from './service.mts';
import { triggerEndpoints } from './triggers.mts';

declare module 'fastify' {
	interface FastifyContextConfig {
		endpoint?: EndpointName;
	}
}

function refusalFrom(error: FastifyError | Refusal): { status: number; body: RefusalBody } {
	if (error instanceof Refusal) return error;
	const status = error.statusCode ?? 500;
	// Fastify's own: JSON that cannot be parsed, or a body that is not JSON at all.
	if (status < 500) return { status, body: { message: error.message, field: 'body' } };
	return { status, body: { message: `The sandbox failed: ${error.message}` } };
}

/** The service's routes and the sandbox's own, ready to listen. */
export function buildServer(
	service: Service,
	inProgress: CallsInProgress,
	actions: AdminActions,
): FastifyInstance {
	const app = fastify({ forceCloseConnections: true });
	const door = keepDoor(app, service);
	app.setErrorHandler<FastifyError | Refusal>((error, _request, reply) => {
		const { status, body } = refusalFrom(error);
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
	for (const endpoint of endpoints) serve(app, service, door, endpoint);
	serveAdmin(app, service, actions);
	return app;
}
