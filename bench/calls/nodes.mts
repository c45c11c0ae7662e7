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

/**
 * A control: the least that a node of any package does to place calls after it has looked at all
 * items. It evaluates the two expressions of each, then sends the requests with n8n's own helper, so
 * many at a time. It checks, notes and reads nothing.
 */
export function leastPlacing({ baseUrl, token }: Service, parallel: number): MeasuredNode {
	const { type, typeVersion, parameters } = twoExpressions();
	return { type, typeVersion, parameters: { ...parameters, baseUrl, token, parallel } };
}

/** The code of that node. It yields to n8n as often as this package does. */
export const TWO_EXPRESSIONS = `
class TwoExpressions {
	description = {
		displayName: 'Two Expressions', name: 'twoExpressions', group: ['transform'], version: 1,
		description: 'Two Expressions', defaults: { name: 'Two Expressions' },
		inputs: ['main'], outputs: ['main'],
		properties: ['phone', 'load', 'baseUrl', 'token', 'parallel'].map((name) => (
			{ displayName: name, name, type: name === 'parallel' ? 'number' : 'string', default: '' }
		)),
	};
	async execute() {
		const items = this.getInputData();
		const [baseUrl, token, parallel] = ['baseUrl', 'token', 'parallel'].map((name) =>
			this.getNodeParameter(name, 0));
		const bodies = [];
		for (let index = 0; index < items.length; index++) {
			const toPhone = this.getNodeParameter('phone', index);
			const loadNumber = this.getNodeParameter('load', index);
			bodies.push({ toPhone, loadNumber, nextStopIndex: 0 });
			if (index % 20 === 0) await new Promise(setImmediate);
		}
		if (!baseUrl) return [items];
		const url = baseUrl + '/api/v1/track-and-trace/trigger-check-call';
		const headers = { authorization: 'Bearer ' + token };
		const next = bodies.entries();
		const slot = async () => {
			for (const [index, body] of next) {
				const json = await this.helpers.httpRequest({ method: 'POST', url, headers, body, json: true });
				items[index] = { json, pairedItem: { item: index } };
			}
		};
		await Promise.all(Array.from({ length: parallel }, slot));
		return [items];
	}
}
module.exports = { TwoExpressions };
`;
