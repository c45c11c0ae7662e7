import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';

/** A raw TCP server: `onRequest` gets the socket and the bytes received so far. */
export async function withServer(
	onRequest: (socket: Socket, request: string) => void,
	use: (baseUrl: string, requests: string[]) => Promise<void>,
): Promise<void> {
	const requests: string[] = [];
	const sockets = new Set<Socket>();
	const server = createTcpServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		let text = '';
		socket.on('data', (bytes) => {
			text += bytes.toString('latin1');
			// A TLS client's first byte is 22.
			if (bytes[0] !== 22 && !isWhole(Buffer.from(text, 'latin1').toString())) return;
			const request = Buffer.from(text, 'latin1').toString();
			text = '';
			requests.push(request);
			onRequest(socket, request);
		});
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	try {
		await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests);
	} finally {
		for (const socket of sockets) socket.destroy();
		await new Promise((closed) => server.close(closed));
	}
}

function isWhole(request: string): boolean {
	const [head = '', ...body] = request.split('\r\n\r\n');
	if (!request.includes('\r\n\r\n')) return false;
	const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
	return Buffer.byteLength(body.join('\r\n\r\n')) >= length;
}

/** A complete HTTP response with this JSON. */
export const json = (value: unknown, status = '200 OK', headers = '') => {
	const body = JSON.stringify(value);
	return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
};
