import type { FastifyRequest } from 'fastify';
import { agentCallRequestSchema, agentPathSchema } from '../contract/placing/agentCall.mts';
import type { PlacedCall } from '../contract/call.mts';
import { carrierSalesCallRequestSchema } from '../contract/placing/carrierSalesCall.mts';
import { type CheckCallRequest, checkCallRequestSchema } from '../contract/placing/checkCall.mts';
import type { Topic } from '../data/calls/transcripts.mts';
import type { OrganizationName } from '../types.mts';
import type { Endpoint } from './endpoint.mts';
import type { CallRequest } from '../service/place-call.mts';
import { validate } from '../service/request-error.mts';

export type PlaceCall = (organization: OrganizationName, request: CallRequest) => PlacedCall;

/** The request body, once a schema has validated that it is an object. */
const sentBody = (request: FastifyRequest): Record<string, unknown> => ({
	...(request.body as Record<string, unknown>),
});

const given = <T extends object>(fields: T) =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
		[Key in keyof T]?: Exclude<T[Key], undefined>;
	};

function topicOf({ waitingAtFacility, nextStopIndex }: CheckCallRequest): Topic {
	if (waitingAtFacility) return 'atFacility';
	return nextStopIndex % 5 === 4 ? 'delayed' : 'enRoute';
}

/** Contract 4.5. */
const triggerCheckCall = (place: PlaceCall): Endpoint => ({
	name: 'triggerCheckCall',
	method: 'POST',
	url: '/api/v1/track-and-trace/trigger-check-call',
	read(request) {
		const asked = validate(checkCallRequestSchema, request.body, 'body');
		const { toPhone, loadNumber, metadata } = asked;
		return {
			offset: null,
			answer({ organization }) {
				const call = place(organization, {
					call: {
						...{ kind: 'checkCall', toPhone, loadNumber, body: sentBody(request) },
						...given({ metadata }),
					},
					person: asked.driverName ?? asked.contactName,
					topic: topicOf(asked),
				});
				return JSON.stringify({ success: true, call });
			},
		};
	},
});

/** Contract 4.6. */
const triggerCarrierSalesCall = (place: PlaceCall): Endpoint => ({
	name: 'triggerCarrierSalesCall',
	method: 'POST',
	url: '/api/v1/carrier-sales/trigger-call',
	read(request) {
		const asked = validate(carrierSalesCallRequestSchema, request.body, 'body');
		const { toPhone, loadId, dotNumber, metadata, contactName } = asked;
		return {
			offset: null,
			answer({ organization }) {
				const call = place(organization, {
					call: {
						...{ kind: 'carrierSalesCall', toPhone, loadId, dotNumber, body: sentBody(request) },
						...given({ metadata }),
					},
					person: contactName,
					topic: 'question',
				});
				return JSON.stringify({ success: true, call });
			},
		};
	},
});

/** Contract 4.8. */
const createAgentCall = (place: PlaceCall): Endpoint => ({
	name: 'createAgentCall',
	method: 'POST',
	url: '/api/v1/custom-use-cases/:agentId/create-phone-call',
	read(request) {
		const { agentId } = validate(agentPathSchema, request.params, 'path');
		const { toPhone, dynamicVariables } = validate(agentCallRequestSchema, request.body, 'body');
		return {
			offset: null,
			answer({ organization }) {
				const call = place(organization, {
					call: {
						...{ kind: 'agentCall', toPhone, agentId, body: sentBody(request) },
						...given({ dynamicVariables }),
					},
					person: undefined,
					topic: 'question',
				});
				return JSON.stringify({ status: 'success', call });
			},
		};
	},
});

/** The three endpoints that dial. Each dials once, through `place`. */
export const triggerEndpoints = (place: PlaceCall): Endpoint[] => [
	triggerCheckCall(place),
	triggerCarrierSalesCall(place),
	createAgentCall(place),
];
