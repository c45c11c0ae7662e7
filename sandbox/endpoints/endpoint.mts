import type { FastifyRequest } from 'fastify';
import type { ListFault } from '../faults/fault-schema.mts';
import type { EndpointName, OrganizationName } from '../types.mts';

export interface RequestContext {
	organization: OrganizationName;
	listFaults: { fault: ListFault; strike: number }[];
}

/** JSON text, or bytes (a recording, or the parts of a page, which are not copied). */
export type ResponseBody = string | Buffer | Buffer[];

/** A request that was parsed and is valid. */
export interface ParsedRequest {
	/** The page's offset, if there are pages. */
	offset: number | null;
	/** Handles the request. A call endpoint dials here. */
	answer(context: RequestContext): ResponseBody;
}

/** One endpoint of the service. */
export interface Endpoint {
	name: EndpointName;
	method: 'GET' | 'POST';
	url: string;
	/** Throws a RequestError for a request that violates the contract. */
	read(request: FastifyRequest): ParsedRequest;
}
