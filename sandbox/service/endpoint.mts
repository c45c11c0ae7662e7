import type { FastifyRequest } from 'fastify';
import type { ShapeFault } from '../faults/fault-schema.mts';
import type { EndpointName, OrganizationName } from '../types.mts';

export interface Asked {
	organization: OrganizationName;
	shapes: { fault: ShapeFault; strike: number }[];
}

/** JSON text, or bytes: of a recording, or of a page in parts that stay uncopied. */
export type Content = string | Buffer | Buffer[];

/** A request that was read and found valid. */
export interface ReadRequest {
	/** The page's offset, where there are pages. */
	offset: number | null;
	/** Serves it; a trigger dials here. */
	answer(asked: Asked): Content;
}

/** One endpoint of the service. */
export interface Endpoint {
	name: EndpointName;
	method: 'GET' | 'POST';
	url: string;
	/** Throws a Refusal when the request breaks the contract. */
	read(request: FastifyRequest): ReadRequest;
}
