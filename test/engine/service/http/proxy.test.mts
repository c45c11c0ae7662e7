import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answering, withServer } from '../../support/service/answering-server.mts';
import { startProbe, type Probe } from '../../support/service/probe.mts';
import { list, token } from '../../support/service/shown-error.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());
afterEach(() => jest.restoreAllMocks());

const security = readFileSync(join(import.meta.dirname, '../../../../SECURITY.md'), 'utf8');
const [, NO_PROXY = ''] = /`NO_PROXY=([^`]+)`/.exec(security) ?? [];

const calls = JSON.stringify({ calls: [{ id: 7 }], pagination: { total: 1 } });

/** Reads calls from a service on this machine while n8n has a proxy. Returns what each of the two got. */
async function readWithProxy(noProxy: string) {
	const got = { service: 0, proxy: [] as string[] };
	await withServer(
		({ headers, url }, response) => {
			got.proxy.push(`${url} ${headers.authorization}`);
			response.writeHead(502).end();
		},
		async (proxyUrl) => {
			const proxy = { HTTP_PROXY: proxyUrl, http_proxy: proxyUrl };
			const env = { ...process.env, ...proxy, NO_PROXY: noProxy, no_proxy: noProxy };
			jest.replaceProperty(process, 'env', env);
			const service = answering(200, calls);
			await withServer(
				(...exchange) => {
					got.service++;
					service(...exchange);
				},
				async (baseUrl) => {
					await probe.run({ baseUrl, token, retryBudgetMs: 0 }, list);
				},
			);
		},
	);
	return got;
}

describe("n8n's proxy", () => {
	it('gets nothing of a service on the same machine with the NO_PROXY that SECURITY.md names', async () => {
		expect(await readWithProxy(NO_PROXY)).toEqual({ service: 1, proxy: [] });
	});

	it('gets the token of a service on the same machine without it, as SECURITY.md says', async () => {
		const { service, proxy } = await readWithProxy('');
		expect(service).toBe(0);
		expect(proxy).toEqual([expect.stringContaining(`Bearer ${token}`)]);
	});
});
