import { answering, withServer } from '../../support/service/answering-server.mts';
import { startProbe, type Probe } from '../../support/service/probe.mts';
import { list, token } from '../../support/service/shown-error.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());
afterEach(() => jest.restoreAllMocks());

const calls = JSON.stringify({ calls: [{ id: 7 }], pagination: { total: 1 } });

/** Reads calls from a service on this machine while n8n has a proxy. Returns what each of the two got. */
async function readWithProxy(host: string) {
	const got = { service: 0, proxy: [] as string[] };
	await withServer(
		({ headers, url }, response) => {
			got.proxy.push(`${url} ${headers.authorization}`);
			response.writeHead(502).end();
		},
		async (proxyUrl) => {
			const proxy = { HTTP_PROXY: proxyUrl, http_proxy: proxyUrl };
			const env = { ...process.env, ...proxy, NO_PROXY: '', no_proxy: '' };
			jest.replaceProperty(process, 'env', env);
			const service = answering(200, calls);
			await withServer(
				(...exchange) => {
					got.service++;
					service(...exchange);
				},
				async (baseUrl) => {
					const base = baseUrl.replace('127.0.0.1', host);
					await probe.run({ baseUrl: base, token, retryBudgetMs: 0 }, list);
				},
			);
		},
	);
	return got;
}

describe("n8n's proxy", () => {
	it.each(['127.0.0.1', 'localhost'])(
		'gets nothing of a service on the same machine (%s)',
		async (host) => {
			expect(await readWithProxy(host)).toEqual({ service: 1, proxy: [] });
		},
	);
});
