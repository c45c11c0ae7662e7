import type { ServiceAnswer, ServiceRequest, StandIn } from './proxy.mts';

export type Handler = (request: ServiceRequest, match: string[]) => ServiceAnswer;

/** A route: method and path, and what the service does. */
export type Route = [method: string, path: RegExp, handle: Handler];

/** What every stand-in does: check the token, fail on demand, refuse what isn't documented. */
export class Service implements StandIn {
	/** The status of all further responses; undefined to work. */
	failing: number | undefined;
	delayMs = 0;
	/** Requests that the service doesn't document, as "POST /path: why". */
	readonly refused: string[] = [];
	readonly requests: ServiceRequest[] = [];
	readonly host: string;
	private readonly token: string;
	private readonly routes: Route[];
	private readonly error: (status: number, message: string) => ServiceAnswer;

	/** @param error how this service words an error */
	constructor(
		host: string,
		token: string,
		error: (status: number, message: string) => ServiceAnswer,
		routes: Route[],
	) {
		this.host = host;
		this.token = token;
		this.error = error;
		this.routes = routes;
	}

	answer(request: ServiceRequest): ServiceAnswer {
		this.requests.push(request);
		if (request.headers.authorization !== `Bearer ${this.token}`) {
			return this.refuse(request, 401, 'the token is missing or wrong');
		}
		if (this.failing !== undefined) return this.error(this.failing, 'Backend unavailable');
		for (const [method, path, handle] of this.routes) {
			const match = path.exec(request.path);
			if (request.method !== method || match === null) continue;
			try {
				return handle(request, match.slice(1));
			} catch (error) {
				return this.refuse(request, 400, error instanceof Error ? error.message : String(error));
			}
		}
		return this.refuse(request, 404, 'no such method');
	}

	private refuse({ method, path }: ServiceRequest, status: number, why: string): ServiceAnswer {
		this.refused.push(`${method} ${path}: ${why}`);
		return this.error(status, why);
	}
}

/** @throws Error that says what the service would not accept */
export function check(holds: boolean, what: string): asserts holds {
	if (!holds) throw new Error(what);
}
