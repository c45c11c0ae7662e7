import type { RequestListener } from 'node:http';
import { shortBackoffs } from '../../../support/pauses.mts';
import { failureOf } from '../../support/service/probe.mts';
import {
	openDownloads,
	sendOn,
	sound,
	token,
	urlOf,
	wavFile,
	withHosts,
} from '../../support/service/recording-hosts.mts';

const { download } = openDownloads();
afterEach(() => jest.restoreAllMocks());

describe('a recording behind a link', () => {
	it.each([400, 401, 403, 404, 410])(
		'that another host no longer accepts (status %i) is an error that says how to get a new link',
		async (status) => {
			const expired: RequestListener = (_request, response) =>
				void response.writeHead(status, { 'Content-Type': 'application/xml' }).end('<Error/>');
			await withHosts([sound(), () => expired], async (home, store) => {
				const { message, details } = failureOf(await download(home.url, `${store.url}/1?sig=s`));
				expect(message).toBe(`The recording's link no longer works (status ${status})`);
				expect(details.advice).toContain('Find the recording by its Call ID');
				expect(JSON.stringify(details)).not.toContain('sig');
			});
		},
	);

	it('on another host that is down is an error about that host, without advice about the credential', async () => {
		await withHosts([sound()], async (home) => {
			shortBackoffs();
			// Nothing listens on port 1.
			const { message, details } = failureOf(await download(home.url, 'http://127.0.0.1:1/1.wav'));
			expect(message).toBe('The service at 127.0.0.1:1 could not be reached');
			expect(details.advice).toBe('Ask the service operator about this recording');
		});
	});

	it("is requested with the token from the service's own origin", async () => {
		await withHosts([sound()], async (home) => {
			const { result } = await download(home.url, `${home.url}/recordings/77.wav?x=1`);
			expect(result).toEqual({ data: wavFile, contentType: 'audio/wav', fileName: '77.wav' });
			expect(home.tokens).toEqual([`Bearer ${token}`]);
			expect(home.paths).toEqual(['/recordings/77.wav?x=1']);
		});
	});

	it('is requested from the service when its link names no host', async () => {
		await withHosts([sound()], async (home) => {
			const { result } = await download(home.url, '/recordings/78');
			expect(result?.fileName).toBe('78.wav');
			expect(home.tokens).toEqual([`Bearer ${token}`]);
		});
	});

	it('is requested without the token from another host', async () => {
		await withHosts([sound(), sound()], async (home, store) => {
			const { result } = await download(home.url, `${store.url}/77.wav`);
			expect(result?.data).toEqual(wavFile);
			expect(store.tokens).toEqual([undefined]);
			expect(home.tokens).toEqual([]);
		});
	});

	it.each([301, 302, 303, 307, 308])(
		'is followed to another host at status %i, without the token',
		async (status) => {
			await withHosts(
				[sendOn((hosts) => `${urlOf(hosts[1])}/signed?key=s`, status), sound()],
				async (home, store) => {
					const { result } = await download(home.url, `${home.url}/77`);
					expect(result?.data).toEqual(wavFile);
					expect(home.tokens).toEqual([`Bearer ${token}`]);
					expect(store.tokens).toEqual([undefined]);
					expect(store.paths).toEqual(['/signed?key=s']);
				},
			);
		},
	);

	it('is followed within the service with the token', async () => {
		let asked = 0;
		await withHosts(
			[
				() => (_request, response) =>
					asked++ === 0
						? void response.writeHead(302, { Location: '/second.wav' }).end()
						: void response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(wavFile),
			],
			async (home) => {
				const { result } = await download(home.url, `${home.url}/first`);
				expect(result?.fileName).toBe('second.wav');
				expect(home.tokens).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
			},
		);
	});

	it('gets no token when another host redirects back to the service', async () => {
		await withHosts(
			[sound(), sendOn((hosts) => `${urlOf(hosts[0])}/api/v1/calls`)],
			async (home, store) => {
				await download(home.url, `${store.url}/77`);
				expect(home.tokens).toEqual([undefined]);
				expect(store.tokens).toEqual([undefined]);
			},
		);
	});

	it('is given up after five redirects', async () => {
		await withHosts([sendOn((hosts) => `${urlOf(hosts[0])}/on`)], async (home) => {
			const failure = failureOf(await download(home.url, `${home.url}/77`));
			expect(failure.message).toBe("The recording's link was redirected more than 5 times");
			expect(home.paths).toHaveLength(6);
		});
	});

	it.each(['http://recordings.example.com/1.wav', 'file:///etc/passwd', 'ftp://x.example/1.wav'])(
		'is not requested from %s, even after a redirect',
		async (link) => {
			await withHosts([sendOn(() => link)], async (home) => {
				const direct = failureOf(await download(home.url, link));
				const redirected = failureOf(await download(home.url, `${home.url}/77`));
				for (const failure of [direct, redirected]) {
					expect(failure.message).toBe("The recording's link does not start with https://");
				}
			});
		},
	);

	it.each([
		['', 'The call has no link to a recording'],
		['https://me:pw@x.example/1.wav', "The recording's link contains a user name or password"],
	])('is not requested from the link "%s"', async (link, message) => {
		expect(failureOf(await download('https://calls.example.com', link)).message).toBe(message);
	});
});

describe('a response to a link of a recording', () => {
	it.each([
		'image/png',
		'application/pdf',
		'application/zip',
		'application/x-msdownload',
		'audio/x-unknown',
		'constructor',
	])('of the type %s is refused', async (type) => {
		const headers = {
			'Content-Type': type,
			'Content-Disposition': 'attachment; filename="invoice.exe"',
		};
		await withHosts([sound(headers)], async (home) => {
			expect(failureOf(await download(home.url, `${home.url}/77`)).message).toBe(
				`The recording's link returned a file of the type ${type} instead of a recording`,
			);
		});
	});

	it.each([
		['audio/x-wav', 'audio/wav', '77.wav'],
		['AUDIO/MPEG; charset=binary', 'audio/mpeg', '77.mp3'],
		['video/mp4', 'audio/mp4', '77.m4a'],
		['application/ogg', 'audio/ogg', '77.ogg'],
	])('of the type %s is saved as %s with the name %s', async (type, contentType, fileName) => {
		await withHosts([sound({ 'Content-Type': type })], async (home) => {
			const { result } = await download(home.url, `${home.url}/77`);
			expect(result).toEqual({ data: wavFile, contentType, fileName });
		});
	});

	it.each([
		['application/octet-stream', '/77.m4a', '', '77.m4a', 'audio/mp4'],
		['binary/octet-stream', '/77', 'call.MP3', 'call.mp3', 'audio/mpeg'],
		['', '/77.ogg', '', '77.ogg', 'audio/ogg'],
	])(
		'that does not say its type (%j) has the type of its name: %s %s',
		async (type, path, name, fileName, contentType) => {
			const disposition = name && { 'Content-Disposition': `attachment; filename="${name}"` };
			const host = sound({ 'Content-Type': type, ...(disposition || {}) });
			await withHosts([host], async (home) => {
				const { result } = await download(home.url, `${home.url}${path}`);
				expect(result).toEqual({ data: wavFile, contentType, fileName });
			});
		},
	);

	it.each([
		['application/octet-stream', 'run.bat', 'a file of the type application/octet-stream'],
		['', 'run.bat', 'a file without a type'],
	])('of the type %j named %s is refused', async (type, name, instead) => {
		const disposition = { 'Content-Disposition': `attachment; filename="${name}"` };
		await withHosts([sound({ 'Content-Type': type, ...disposition })], async (home) => {
			expect(failureOf(await download(home.url, `${home.url}/77.wav`)).message).toBe(
				`The recording's link returned ${instead} instead of a recording`,
			);
		});
	});

	it.each([
		[202, 'application/json', '{"message":"Not ready"}', 'of the type application/json instead'],
		[204, 'audio/wav', '', 'returned nothing instead'],
		[206, 'audio/wav', wavFile, 'refused the request (status 206)'],
	])('with status %i is refused: %s %s', async (status, type, body, words) => {
		const answer: RequestListener = (_request, response) =>
			void response.writeHead(status, { 'Content-Type': type }).end(body);
		await withHosts([() => answer], async (home) => {
			const { message, details } = failureOf(await download(home.url, `${home.url}/77`));
			expect(message).toContain(words);
			expect(details.serviceMessage).toBeUndefined();
		});
	});
});
