import type { FastifyRequest } from 'fastify';
import type { ListFault } from '../faults/fault-schema.mts';
import type { EndpointName, OrganizationName } from '../types.mts';

export interface RequestContext {
	organization: OrganizationName;
	listFaults: { fault: ListFault; strike: number }[];
}

/** JSON text, or bytes: of a recording, or of a page in parts that stay uncopied. */
export type ResponseBody = string | Buffer | Buffer[];

/** A request that was read and found valid. */
export interface ParsedRequest {
	/** The page's offset, where there are pages. */
	offset: number | null;
	/** Serves it; a trigger dials here. */
	answer(context: RequestContext): ResponseBody;
}

/** One endpoint of the service. */
export interface Endpoint {
	name: EndpointName;
	method: 'GET' | 'POST';
	url: string;
	/** Throws a RequestError when the request breaks the contract. */
	read(request: FastifyRequest): ParsedRequest;
}
