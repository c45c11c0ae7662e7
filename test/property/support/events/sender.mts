import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';

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
	private readonly port: number;

	constructor(port: number) {
		this.port = port;
	}

	/** The statuses, in the order of the requests. */
	async sendAll(requests: readonly WebhookRequest[], parallel = 16): Promise<number[]> {
		const statuses: number[] = [];
		const queue = requests.entries();
		const worker = async () => {
			let connection = new Connection(this.port);
			for (const [index, request] of queue) {
				if (connection.isClosed) connection = new Connection(this.port);
				statuses[index] = await connection.send(request, index);
			}
			connection.close();
		};
		await Promise.all(Array.from({ length: parallel }, worker));
		return statuses;
	}
}

/** One request after the other on a socket: Node's own client takes a sixth of the time of these tests. */
class Connection {
	isClosed = false;
	private readonly socket: Socket;
	private received = '';
	private settle: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;

	constructor(port: number) {
		this.socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
		this.socket.on('data', (text: string) => this.read(text));
		this.socket.on('error', (error) => this.settle?.reject(error));
		this.socket.on('close', () => this.settle?.reject(new Error('Closed without a response')));
	}

	async send({ method, body, headers }: WebhookRequest, index: number): Promise<number> {
		const all = {
			...{ host: '127.0.0.1', ...headers },
			...{ 'content-length': body.length, 'x-request-number': index },
		};
		const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
		const head = Buffer.from(`${method} /webhook HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
		return await new Promise((resolve, reject) => {
			this.settle = { resolve, reject };
			this.socket.write(Buffer.concat([head, body]));
		});
	}

	close(): void {
		this.isClosed = true;
		this.settle = undefined;
		this.socket.destroy();
	}

	private read(text: string): void {
		this.received += text;
		const end = this.received.indexOf('\r\n\r\n');
		if (end === -1) return;
		const head = this.received.slice(0, end);
		const length = /^content-length: *(\d+)$/im.exec(head)?.[1];
		const { settle } = this;
		if (length === undefined) return settle?.reject(new Error(`No Content-Length: ${head}`));
		if (this.received.length < end + 4 + Number(length)) return;
		this.received = '';
		if (/^connection: *close$/im.test(head)) this.close();
		settle?.resolve(Number(head.slice('HTTP/1.1 '.length).slice(0, 3)));
	}
}
