import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../playground/n8n/rest.mts';

/** Collects the items that a workflow sends, even of executions that n8n does not save. */
export interface Reports {
	items: JsonObject[];
	/** A node that sends each of its items here. */
	node(name: string): JsonObject;
	close(): Promise<void>;
}

export async function openReports(): Promise<Reports> {
	const items: JsonObject[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			items.push(JSON.parse(Buffer.concat(chunks).toString()));
			response.setHeader('content-type', 'application/json').end('{}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	return {
		items,
		node: (name) => ({
			...{ id: randomUUID(), name, type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
			position: [600, 0],
			parameters: {
				...{ method: 'POST', url, sendBody: true, specifyBody: 'json' },
				jsonBody: '={{ JSON.stringify($json) }}',
			},
		}),
		async close() {
			await new Promise((resolve) => {
				server.close(resolve);
				server.closeAllConnections();
			});
		},
	};
}
