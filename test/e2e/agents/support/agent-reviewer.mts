import { once } from 'node:events';
import { createServer } from 'node:http';
import { isRecord } from '../../../../playground/n8n/rest.mts';

/** Replaces the chat in which a person approves a tool call. */
export interface Reviewer {
	baseUrl: string;
	/** What the person was asked, as text. */
	asked(): string[];
	/** Presses a button of the last message. */
	press(approved: boolean): Promise<void>;
	close(): Promise<void>;
}

export async function startReviewer(): Promise<Reviewer> {
	const messages: string[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			messages.push(text);
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end('{"ok":true,"result":{}}');
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	return {
		baseUrl: `http://127.0.0.1:${isRecord(address) ? String(address['port']) : ''}`,
		asked: () => messages,
		async press(approved) {
			const links = messages.at(-1)?.match(/http[^"\\]+/g) ?? [];
			const link = links.find((one) => one.includes(`approved=${approved}`));
			if (link === undefined) throw new Error(`No such button in ${messages.at(-1)}`);
			// n8n ignores clicks from anything that identifies itself as a program.
			const response = await fetch(link, {
				headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
			});
			await response.text();
			if (!response.ok) throw new Error(`The button led to status ${response.status}`);
		},
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
