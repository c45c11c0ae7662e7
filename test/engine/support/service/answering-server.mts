import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local server for the duration of a task. */
export async function withServer<Result>(
	answer: RequestListener,
	use: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
	const server = createServer(answer);
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	try {
		return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	} finally {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
}

/** Returns the same response to every request. */
export const answering =
	(status: number, body: string | Buffer, type = 'application/json'): RequestListener =>
	(_request, response) => {
		response.writeHead(status, { 'Content-Type': type }).end(body);
	};
