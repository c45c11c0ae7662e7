import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Recording, SaveRecording } from '../../../../nodes/shared/service/recording.ts';
import { startProbe, type Probe } from './probe.mts';

/** The service's token, which other hosts must not get. */
export const token = 'recording-token-5f2c91';

/** A recording without sound. */
export const wavFile = Buffer.from('RIFF\u0000\u0000\u0000\u0000WAVE', 'latin1');

/** A host, and the requests it received. */
export interface Host {
	url: string;
	/** The Authorization header of each request. */
	tokens: Array<string | undefined>;
	paths: Array<string | undefined>;
}

const none: Host = { url: '', tokens: [], paths: [] };

/** The host's URL, for responses that refer to hosts started later. */
export const urlOf = (host: Host | undefined): string => host?.url ?? '';

/** Hosts on one machine, each with its own port and therefore its own origin. */
export async function withHosts(
	answers: Array<(hosts: Host[]) => RequestListener>,
	use: (home: Host, other: Host) => Promise<void>,
): Promise<void> {
	const hosts: Host[] = [];
	const servers = await Promise.all(
		answers.map(async (answer, index) => {
			const host: Host = { url: '', tokens: [], paths: [] };
			hosts[index] = host;
			const server = createServer((request, response) => {
				// The credential's requests name the whole URL if it is http.
				request.url = request.url?.replace(/^http:\/\/[^/]+/, '');
				host.tokens.push(request.headers.authorization);
				host.paths.push(request.url);
				answer(hosts)(request, response);
			});
			await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
			host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			return server;
		}),
	);
	try {
		const [home = none, other = none] = hosts;
		await use(home, other);
	} finally {
		for (const server of servers) server.closeAllConnections();
		await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
	}
}

/** Returns the recording. */
export const sound =
	(headers: Record<string, string> = {}): (() => RequestListener) =>
	() =>
	(_request, response) => {
		response.writeHead(200, { 'Content-Type': 'audio/wav', ...headers }).end(wavFile);
	};

/** Returns a redirect. */
export const sendOn =
	(to: (hosts: Host[]) => string, status = 302) =>
	(hosts: Host[]): RequestListener =>
	(_request, response) => {
		response.writeHead(status, { Location: to(hosts) }).end('moved');
	};

/** Downloads recordings as the nodes do, in the tests of a file. */
export function openDownloads() {
	let probe: Probe;
	beforeAll(async () => {
		probe = await startProbe();
	});
	afterAll(() => probe.close());
	const download = async (baseUrl: string, link: string, maxBytes = 1000, more = {}) =>
		await probe.run({ baseUrl, token, ...more }, async (client) =>
			client.downloadRecording(link, maxBytes, inMemory),
		);
	return { download, probe: () => probe };
}

/** Keeps a recording in memory. */
export const inMemory: SaveRecording<{ data: Buffer } & Omit<Recording, 'stream'>> = async ({
	stream,
	...rest
}) => ({ data: Buffer.concat(await stream.toArray()), ...rest });
