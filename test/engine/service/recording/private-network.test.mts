import dns from 'node:dns';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isPublicHost } from '../../../../nodes/shared/ipAddress.ts';
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

it.each([
	'127.0.0.1',
	'2130706433',
	'0x7f.1',
	'0.0.0.0',
	'10.1.2.3',
	'172.20.0.1',
	'192.168.1.1',
	'169.254.169.254',
	'100.64.0.1',
	'198.18.0.1',
	'192.0.0.8',
	'192.0.2.1',
	'198.51.100.1',
	'203.0.113.1',
	'224.0.0.1',
	'255.255.255.255',
	'[::]',
	'[::1]',
	'[::127.0.0.1]',
	'[::ffff:127.0.0.1]',
	'[::ffff:10.0.0.1]',
	'[64:ff9b::7f00:1]',
	'[64:ff9b:1::7f00:1]',
	'[2002:7f00:1::]',
	'[2001:0:53aa:64c:0:fffe:80ff:fffe]',
	'[2001:db8::1]',
	'[3fff::1]',
	'[5f00::1]',
	'[fd12:3456::1]',
	'[fe80::1]',
	'[fec0::1]',
	'[ff02::1]',
	'localhost',
	'localhost.',
	'localhost.localdomain',
	'files.localhost',
	'metadata.google.internal',
	'nas.local',
	'intranet',
	'postgres',
])('a recording of a public service is not requested from https://%s', async (host) => {
	const { message, details } = failureOf(
		await download('https://calls.example.com', `https://${host}/1.wav`),
	);
	expect(message).toContain("The recording's link leads to a private network");
	expect(details.kind).toBe('configuration');
});

it.each(['8.8.8.8', '[2606:4700::1111]', '[::ffff:8.8.8.8]', 'files.example.com', 'x.example.'])(
	'%s can be on the public internet',
	(host) => {
		expect(isPublicHost(new URL(`https://${host}`).hostname)).toBe(true);
	},
);
