import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../playground/n8n/rest.mts';

/** A system that workflows read rows from, and that can let executions wait for its answer. */
export interface Tms {
	/** What the rows are now, by the name of their list. */
	rows: Map<string, object[]>;
	/** A node that reads the list that the webhook's body names in `list`, one item for each row. */
	rowsNode(name: string): JsonObject;
	/** A node that gets its answer at once, or once `release` is called after `hold`. */
	holdNode(name: string): JsonObject;
	hold(): void;
	release(): void;
	/** How many executions are held. */
	held(): number;
	close(): Promise<void>;
}

export async function openTms(): Promise<Tms> {
	const rows = new Map<string, object[]>();
	const held = new Set<ServerResponse>();
	let isHolding = false;
	const server = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
		request.resume();
		response.setHeader('content-type', 'application/json');
		if (pathname === '/rows') {
			response.end(JSON.stringify(rows.get(searchParams.get('list') ?? '') ?? []));
		} else if (isHolding) {
			held.add(response);
			response.on('close', () => held.delete(response));
		} else {
			response.end('{}');
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const node = (name: string, url: string) => ({
		...{ id: randomUUID(), name, type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
		...{ position: [100, 200], executeOnce: true },
		parameters: { url: `=http://127.0.0.1:${port}${url}`, options: {} },
	});
	return {
		rows,
		rowsNode: (name) => node(name, '/rows?list={{ $json.body.list }}'),
		holdNode: (name) => node(name, '/hold'),
		hold() {
			isHolding = true;
		},
		release() {
			isHolding = false;
			for (const response of held) response.end('{}');
		},
		held: () => held.size,
		async close() {
			await new Promise((resolve) => {
				server.close(resolve);
				server.closeAllConnections();
			});
		},
	};
}
