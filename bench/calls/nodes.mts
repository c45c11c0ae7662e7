import type { JsonObject } from '../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../playground/setup/paths.mts';
import type { Service } from './service.mts';

/** A node of a workflow that receives drivers: its type, its parameters and its credential. */
export interface MeasuredNode {
	type: string;
	typeVersion: number;
	parameters: JsonObject;
	credentials?: JsonObject;
}

const PHONE = '={{ $json.phone }}';
const LOAD = '={{ $json.load }}';

export const CREDENTIAL = 'carrierLoadCommunicationsApi';

export function credentialOf(latencyMs: number): string {
	return `The service, ${latencyMs} ms`;
}

/** This package's node: a check call for each driver. */
export function checkCalls({ latencyMs }: Service, parameters: JsonObject): MeasuredNode {
	return {
		...{ type: `${PACKAGE_NAME}.carrierLoadCommunications`, typeVersion: 1 },
		credentials: { [CREDENTIAL]: { id: null, name: credentialOf(latencyMs) } },
		parameters: {
			...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 0 },
			...{ toPhone: PHONE, loadNumber: LOAD, ...parameters },
		},
	};
}

/**
 * A control: n8n's HTTP Request node sends the same requests with the same two expressions. It can't
 * keep so many in flight, but can begin so many in each latency, which comes near.
 */
export function httpRequests({ baseUrl, latencyMs }: Service, parallel: number): MeasuredNode {
	return {
		...{ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
		credentials: { httpHeaderAuth: { id: null, name: credentialOf(latencyMs) } },
		parameters: {
			method: 'POST',
			url: `${baseUrl}/api/v1/track-and-trace/trigger-check-call`,
			...{ authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
			sendBody: true,
			bodyParameters: {
				parameters: [
					{ name: 'toPhone', value: PHONE },
					{ name: 'loadNumber', value: LOAD },
					{ name: 'nextStopIndex', value: 0 },
				],
			},
			options: {
				batching: { batch: { batchSize: parallel, batchInterval: Math.max(1, latencyMs) } },
			},
		},
	};
}

/** A control: a node of any package that only asks n8n for the values of two expressions per item. */
export function twoExpressions(): MeasuredNode {
	return {
		...{ type: 'CUSTOM.twoExpressions', typeVersion: 1 },
		parameters: { phone: PHONE, load: LOAD },
	};
}

/** The code of that node. It yields to n8n as often as this package does. */
export const TWO_EXPRESSIONS = `
class TwoExpressions {
	description = {
		displayName: 'Two Expressions', name: 'twoExpressions', group: ['transform'], version: 1,
		description: 'Two Expressions', defaults: { name: 'Two Expressions' },
		inputs: ['main'], outputs: ['main'],
		properties: ['phone', 'load'].map((name) => (
			{ displayName: name, name, type: 'string', default: '' }
		)),
	};
	async execute() {
		const items = this.getInputData();
		for (let index = 0; index < items.length; index++) {
			this.getNodeParameter('phone', index);
			this.getNodeParameter('load', index);
			if (index % 20 === 0) await new Promise(setImmediate);
		}
		return [items];
	}
}
module.exports = { TwoExpressions };
`;
