import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';

/** A polling node that counts its polls in its static data and follows a server's instructions. */
const SOURCE = `
class PollProbe {
	description = {
		displayName: 'Poll Probe', name: 'pollProbe', group: ['trigger'], version: 1,
		description: 'Shows how n8n polls', defaults: { name: 'Poll Probe' }, polling: true,
		inputs: [], outputs: ['main'],
		properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
	};
	async poll() {
		const data = this.getWorkflowStaticData('node');
		const count = data.count ?? 0;
		const url = this.getNodeParameter('url') + '?count=' + count;
		const { hasItems } = await this.helpers.httpRequest({ url, json: true });
		data.count = count + 1;
		return hasItems ? [[{ json: { count } }]] : null;
	}
}
module.exports = { PollProbe };
`;

/** Writes the probe node into a folder from which n8n loads it (N8N_CUSTOM_EXTENSIONS). */
export function createProbe(folder: string): INodeType {
	const file = join(folder, 'PollProbe.node.js');
	writeFileSync(file, SOURCE);
	const { PollProbe } = createRequire(file)(file) as { PollProbe: new () => INodeType };
	return new PollProbe();
}

/** What a poll of the probe does: starts an execution or not, possibly only after the next poll. */
export interface Order {
	hasItems: boolean;
	waitsForNext?: boolean;
}

/** Instructs the probe, and records which count each poll found in its static data. */
export async function startProbeServer(orders: Order[]) {
	const counts: number[] = [];
	const waiting: Array<() => void> = [];
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? '', 'http://localhost');
		counts.push(Number(url.searchParams.get('count')));
		const { hasItems, waitsForNext } = orders[counts.length - 1] ?? { hasItems: false };
		const answer = () => {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify({ hasItems }), () => {
				for (const next of waiting.splice(0)) setTimeout(next, 5000);
			});
		};
		if (waitsForNext) waiting.push(answer);
		else answer();
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	return {
		counts,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
