import dns from 'node:dns';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { failureOf } from '../../support/service/probe.mts';
import { openDownloads, sound, withHosts } from '../../support/service/recording-hosts.mts';
import { selfSigned } from '../../../support/self-signed.mts';

const { download } = openDownloads();
afterEach(() => jest.restoreAllMocks());

/** The name of a host on the internet, which leads to this machine while a test runs. */
const PUBLIC = 'calls.example.com';

function resolvePublicName() {
	const real = dns.lookup;
	const lookup = (name: string, ...rest: unknown[]) =>
		Reflect.apply(real, dns, [name === PUBLIC ? '127.0.0.1' : name, ...rest]);
	jest.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
}

/** A public service that redirects to a link. */
async function withPublicService(link: string, use: (baseUrl: string) => Promise<void>) {
	const server = createServer(selfSigned(), (_request, response) => {
		response.writeHead(302, { Location: link }).end();
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	try {
		await use(`https://${PUBLIC}:${(server.address() as AddressInfo).port}`);
	} finally {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
}

it.each(['link', 'redirect'])(
	'nothing is requested from the machine of n8n when the %s of a public service leads there',
	async (how) => {
		resolvePublicName();
		await withHosts([sound()], async (inside) => {
			const secret = `${inside.url}/secret.wav`;
			await withPublicService(secret, async (baseUrl) => {
				const link = how === 'link' ? secret : `${baseUrl}/recordings/1`;
				const probed = await download(baseUrl, link, 1000, { ignoreSslIssues: true });
				expect(failureOf(probed).message).toContain('leads to a private network (127.0.0.1)');
			});
			expect(inside.paths).toEqual([]);
		});
	},
);
