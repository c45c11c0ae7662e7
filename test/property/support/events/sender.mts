import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';

export const SECRET = 'the secret of the fuzz test';

/** One HTTP request. */
export interface WebhookRequest {
	method: 'POST';
	body: Buffer;
	headers: Record<string, string>;
}

/** Signs a body as the sandbox does. */
export function signed(body: Buffer, timeMs: number, secret = SECRET): WebhookRequest {
	const time = String(Math.floor(timeMs / 1000));
	const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
	const headers = {
		...{ 'content-type': 'application/json', 'x-timestamp': time },
		'x-signature': `sha256=${signature}`,
	};
	return { method: 'POST', body, headers };
}

/** Sends requests, several in parallel over keep-alive connections, and returns each status. */
export class Sender {
	private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });
	private readonly port: number;

	constructor(port: number) {
		this.port = port;
	}

	/** The statuses, in the order of the requests. */
	async sendAll(requests: readonly WebhookRequest[], parallel = 16): Promise<number[]> {
		const statuses: number[] = [];
		const queue = requests.entries();
		const worker = async () => {
			for (const [index, request] of queue) statuses[index] = await this.send(request, index);
		};
		await Promise.all(Array.from({ length: parallel }, worker));
		return statuses;
	}

	close(): void {
		this.agent.destroy();
	}

	private async send({ method, body, headers }: WebhookRequest, index: number): Promise<number> {
		return await new Promise((resolve, reject) => {
			const outgoing = request(
				{
					...{ port: this.port, host: '127.0.0.1', method, agent: this.agent, path: '/webhook' },
					headers: { ...headers, 'content-length': body.length, 'x-request-number': String(index) },
				},
				(response) => {
					response.resume();
					response.on('end', () => resolve(response.statusCode ?? 0));
				},
			);
			outgoing.on('error', reject);
			outgoing.end(body);
		});
	}
}
