import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { EndpointName } from '../types.mts';
import { type ControlActions, serveControlApi } from './control-api.mts';
import type { CallsInProgress } from './calls-in-progress.mts';
import { logRequests, serveEndpoint } from './serve-endpoint.mts';
import { listEndpoints } from '../endpoints/lists.mts';
import { getAnalytics } from '../endpoints/analytics.mts';
import { searchCarriers } from '../endpoints/carriers.mts';
import { downloadRecording } from '../endpoints/recording.mts';
import { placeCall } from './place-call.mts';
import { RequestError, type ErrorBody } from './request-error.mts';
import type { Service } from './service.mts';
import { triggerEndpoints } from '../endpoints/place-calls.mts';

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
	const app = fastify({ forceCloseConnections: true });
	const log = logRequests(app, service);
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
