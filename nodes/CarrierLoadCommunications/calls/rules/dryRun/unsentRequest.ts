import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceClient } from '../../../../shared/service/client';
import type { JsonObject } from '../../../../shared/service/http/json';
import { redactionOf } from '../../../../shared/service/http/answer/redaction';
import { Requests } from '../../../../shared/service/http/requests';

/** A request that places a call. */
export interface CallRequest {
	method: 'POST';
	path: string;
	body: IDataObject;
}

/** Records what would be sent, and sends nothing. */
class UnsentRequests extends Requests {
	request: CallRequest | undefined;

	constructor(context: IExecuteFunctions) {
		const redaction = redactionOf('');
		super(context, {
			...{ baseUrl: '', skipCertificateCheck: false, timeoutMs: 0, retryBudgetMs: 0, redaction },
			credential: async () => ({}),
		});
	}

	override async dial(path: string, body: IDataObject): Promise<JsonObject> {
		this.request = { method: 'POST', path, body: JSON.parse(JSON.stringify(body)) };
		return {};
	}

	override async read(): Promise<JsonObject> {
		throw new Error('A dry run sends nothing');
	}
}

/** The request that would place a call, built by the same code and not sent. */
export async function requestOf(
	context: IExecuteFunctions,
	send: (client: ServiceClient) => Promise<unknown>,
): Promise<CallRequest | undefined> {
	const requests = new UnsentRequests(context);
	await send(new ServiceClient(requests));
	return requests.request;
}
