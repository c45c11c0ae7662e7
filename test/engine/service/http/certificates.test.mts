import { createServer } from 'node:https';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { dial } from '../../support/service/check-call.mts';
import { failureOf, startProbe, type Probe } from '../../support/service/probe.mts';
import { inMemory } from '../../support/service/recording-hosts.mts';
import { selfSigned } from '../../../support/self-signed.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());

/** A service with a self-signed certificate. */
async function withUntrusted(use: (baseUrl: string, requests: string[]) => Promise<void>) {
	const requests: string[] = [];
	const server = createServer(selfSigned(), (request, response) => {
		requests.push(`${request.method} ${request.url}`);
		const sound = request.url?.endsWith('.wav');
		response.setHeader('Content-Type', sound ? 'audio/wav' : 'application/json');
		response.end(sound ? 'RIFF\0' : '{"success":true,"call":{"id":1}}');
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	try {
		await use(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, requests);
	} finally {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
}

/**
 * A service that breaks the TLS connection after it received a whole request, with bytes that are
 * not a TLS record.
 */
async function withBrokenRecords(use: (baseUrl: string, requests: string[]) => Promise<void>) {
	const requests: string[] = [];
	const raw = new Set<Socket>();
	const tls = createServer(selfSigned(), (request) => {
		request.resume().on('end', () => {
			requests.push(`${request.method} ${request.url}`);
			for (const socket of raw) socket.write('HTTP/1.1 502 Bad Gateway\r\n\r\n');
		});
	});
	// A relay in front of it can send bytes outside TLS.
	const relay = createTcpServer((client) => {
		const service = connect((tls.address() as AddressInfo).port, '127.0.0.1');
		raw.add(client);
		client.on('error', () => {}).on('close', () => service.destroy());
		service.on('error', () => {});
		client.pipe(service);
		service.pipe(client);
	});
	await new Promise<void>((ready) => tls.listen(0, '127.0.0.1', ready));
	await new Promise<void>((ready) => relay.listen(0, '127.0.0.1', ready));
	try {
		await use(`https://127.0.0.1:${(relay.address() as AddressInfo).port}`, requests);
	} finally {
		for (const socket of raw) socket.destroy();
		tls.closeAllConnections();
		await new Promise((closed) => relay.close(closed));
		await new Promise((closed) => tls.close(closed));
	}
}

it('a TLS record that breaks after the request may mean a placed call, and is not sent again', async () => {
	await withBrokenRecords(async (baseUrl, requests) => {
		const failure = failureOf(
			await probe.run({ baseUrl, ignoreSslIssues: true }, async (client) => dial(client)),
		);
		expect(requests).toHaveLength(1);
		expect(failure.details.kind).toBe('interrupted');
		expect(failure.nothingHappened).toBe(false);
	});
});

describe('a service with an untrusted certificate', () => {
	it('gets no call request, and the call is certainly not placed', async () => {
		await withUntrusted(async (baseUrl, requests) => {
			const failure = failureOf(await probe.run({ baseUrl }, async (client) => dial(client)));
			expect(failure.details).toMatchObject({ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
			expect(failure.message).toMatch(/^The certificate of 127\.0\.0\.1:\d+ was not accepted$/);
			expect(failure.nothingHappened).toBe(true);
			expect(requests).toEqual([]);
		});
	});

	it('gets the call request if the credential allows it', async () => {
		await withUntrusted(async (baseUrl, requests) => {
			const { result } = await probe.run({ baseUrl, ignoreSslIssues: true }, async (client) =>
				dial(client),
			);
			expect(result).toEqual({ success: true, call: { id: 1 } });
			expect(requests).toHaveLength(1);
		});
	});

	it('can serve recordings if the credential allows it; other hosts cannot', async () => {
		await withUntrusted(async (home, requests) => {
			await withUntrusted(async (other, otherRequests) => {
				const download = async (link: string) =>
					await probe.run({ baseUrl: home, ignoreSslIssues: true }, async (client) =>
						client.downloadRecording(link, 100, inMemory),
					);
				expect((await download(`${home}/1.wav`)).result?.data.toString()).toBe('RIFF\0');
				const { kind, advice } = failureOf(await download(`${other}/1.wav`)).details;
				expect(kind).toBe('tls');
				// The credential's option and base URL are not about that host.
				expect(advice).toBe('Ask the service operator about this recording');
				expect(requests).toEqual(['GET /1.wav']);
				expect(otherRequests).toEqual([]);
			});
		});
	});
});
