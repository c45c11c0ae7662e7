import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { failureOf, startProbe, type Probe } from '../support/service/probe.mts';
import { inMemory } from '../support/service/recording-hosts.mts';
import { selfSigned } from '../support/service/self-signed.mts';

jest.setTimeout(60_000);

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());

/** A service whose certificate nobody signed but itself. */
async function withUntrusted(use: (baseUrl: string, requests: string[]) => Promise<void>) {
	const requests: string[] = [];
	const server = createServer(selfSigned(), (request, response) => {
		requests.push(`${request.method} ${request.url}`);
		const sound = request.url?.endsWith('.wav');
		response.setHeader('Content-Type', sound ? 'audio/wav' : 'application/json');
		response.end(sound ? 'RIFF' : '{"success":true,"call":{"id":1}}');
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	try {
		await use(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, requests);
	} finally {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
}

const checkCall = { toPhone: '+13125550188', loadNumber: '48213', nextStopIndex: 1 };

describe('a service with a certificate that nobody vouches for', () => {
	it('gets no call, and it is certain that none was placed', async () => {
		await withUntrusted(async (baseUrl, requests) => {
			const failure = failureOf(
				await probe.run({ baseUrl }, async (client) => client.triggerCheckCall(checkCall)),
			);
			expect(failure.details).toMatchObject({ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
			expect(failure.message).toMatch(/^The certificate of 127\.0\.0\.1:\d+ was not accepted$/);
			expect(failure.nothingHappened).toBe(true);
			expect(requests).toEqual([]);
		});
	});

	it('gets the call when the credential allows it', async () => {
		await withUntrusted(async (baseUrl, requests) => {
			const { result } = await probe.run({ baseUrl, ignoreSslIssues: true }, async (client) =>
				client.triggerCheckCall(checkCall),
			);
			expect(result).toEqual({ success: true, call: { id: 1 } });
			expect(requests).toHaveLength(1);
		});
	});

	it('serves recordings if the credential allows it; other hosts do not', async () => {
		await withUntrusted(async (home, requests) => {
			await withUntrusted(async (other, otherRequests) => {
				const download = async (link: string) =>
					await probe.run({ baseUrl: home, ignoreSslIssues: true }, async (client) =>
						client.downloadRecording(link, 100, inMemory),
					);
				expect((await download(`${home}/1.wav`)).result?.data.toString()).toBe('RIFF');
				expect(failureOf(await download(`${other}/1.wav`)).details.kind).toBe('tls');
				expect(requests).toEqual(['GET /1.wav']);
				expect(otherRequests).toEqual([]);
			});
		});
	});
});
