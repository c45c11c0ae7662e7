import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeType,
	IRequestOptions,
} from 'n8n-workflow';
import { CarrierLoadCommunicationsApi } from '../../../credentials/CarrierLoadCommunicationsApi.credentials.ts';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { sendOn, sound, token, urlOf, withHosts } from '../support/service/recording-hosts.mts';

const TYPE = 'carrierLoadCommunicationsApi';

/** n8n's HTTP Request node up to 4.2, which sends the URL as `uri`, and since 4.4, as `url`. */
const VERSIONS = {
	'4.2': async (context: IExecuteFunctions, uri: string, method: 'GET' | 'POST') => {
		const options: IRequestOptions = { uri, method, encoding: null, json: false };
		return await context.helpers.requestWithAuthentication.call(context, TYPE, options);
	},
	'4.4': async (context: IExecuteFunctions, url: string, method: 'GET' | 'POST') => {
		const headers = { Authorization: 'Bearer of the user' };
		const options: IHttpRequestOptions = { url, method, headers, encoding: 'arraybuffer' };
		return await context.helpers.httpRequestWithAuthentication.call(context, TYPE, options);
	},
};

const node: INodeType = {
	description: {
		displayName: 'Request',
		name: 'request',
		group: ['transform'],
		version: 1,
		description: 'Sends a request as HTTP Request does',
		defaults: { name: 'Request' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: TYPE, required: true }],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Version', name: 'version', type: 'string', default: '' },
			{ displayName: 'Method', name: 'method', type: 'string', default: 'GET' },
		],
	},
	async execute() {
		const url = String(this.getNodeParameter('url', 0));
		const version = this.getNodeParameter('version', 0) === '4.2' ? '4.2' : '4.4';
		const method = this.getNodeParameter('method', 0) === 'POST' ? 'POST' : 'GET';
		const body: unknown = await VERSIONS[version](this, url, method);
		return [[{ json: { length: Object(body).length } }]];
	},
};

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine({
		package: false,
		nodeTypes: { 'testNodes.request': node },
		credentialTypes: [new CarrierLoadCommunicationsApi()],
	});
});
afterAll(() => engine.close());

describe.each(['4.2', '4.4'])('HTTP Request %s with this credential', (version) => {
	const request = async (baseUrl: string, url: string, method = 'GET', more: IDataObject = {}) => {
		const credential: IDataObject = { baseUrl, accessToken: token, ...more };
		return await engine.runNode(
			{ url, version, method },
			{ type: 'testNodes.request', credentials: { [TYPE]: credential } },
		);
	};

	it('sends the token to the service', async () => {
		await withHosts([sound()], async (home) => {
			const { error } = await request(home.url, `${home.url}/api/v1/calls`);
			expect(error).toBeUndefined();
			expect(home.tokens).toEqual([`Bearer ${token}`]);
		});
	});

	it('sends nothing to another host, and says why', async () => {
		await withHosts([sound(), sound()], async (home, other) => {
			const { error } = await request(home.url, `${other.url}/api/v1/calls`);
			expect(`${error?.message} ${error?.description}`).toContain(
				`This credential is for ${home.url} only, not for ${other.url}`,
			);
			expect(other.paths).toEqual([]);
		});
	});

	it.each([
		['paused', 'Paused'],
		['dryRun', 'Dry Run'],
		['testNumber', 'Test Number'],
		['misspelled', 'Paused'],
	])('places no call while Calls is set to %s, and reads on', async (callMode, label) => {
		await withHosts([sound()], async (home) => {
			const url = `${home.url}/api/v1/track-and-trace/trigger-check-call`;
			const { error } = await request(home.url, url, 'POST', { callMode });
			expect(`${error?.message} ${error?.description}`).toContain(
				`The credential's Calls setting is ${label}, so this node may only read with it`,
			);
			expect(home.paths).toEqual([]);
			await request(home.url, `${home.url}/api/v1/calls`, 'GET', { callMode });
			expect(home.paths).toEqual(['/api/v1/calls']);
		});
	});

	it('places calls with Live', async () => {
		await withHosts([sound()], async (home) => {
			const { error } = await request(home.url, `${home.url}/x`, 'POST', { callMode: 'live' });
			expect(error).toBeUndefined();
			expect(home.paths).toEqual(['/x']);
		});
	});

	it.each([301, 302, 307, 308])(
		'does not send the token along when the service redirects to another host (%i)',
		async (status) => {
			const redirect = sendOn((hosts) => `${urlOf(hosts[1])}/elsewhere`, status);
			await withHosts([redirect, sound()], async (home, other) => {
				await request(home.url, `${home.url}/api/v1/calls`);
				expect(home.tokens).toEqual([`Bearer ${token}`]);
				expect(other.tokens.filter(Boolean)).toEqual([]);
			});
		},
	);

	it('sends the token along when the service redirects within itself', async () => {
		const redirect = sendOn((hosts) => `${urlOf(hosts[0])}/there`);
		await withHosts(
			[
				(hosts) => (asked, response) =>
					(asked.url === '/here' ? redirect(hosts) : sound()())(asked, response),
			],
			async (home) => {
				const { error } = await request(home.url, `${home.url}/here`);
				expect(error).toBeUndefined();
				expect(home.paths).toEqual(['/here', '/there']);
				expect(home.tokens).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
			},
		);
	});
});

describe('the token', () => {
	const credential = new CarrierLoadCommunicationsApi();
	const baseUrl = 'https://calls.example.com/tms';
	const sign = async (request: object) =>
		await credential.authenticate(
			{ baseUrl, accessToken: token },
			request as unknown as IHttpRequestOptions,
		);

	it.each([
		{ url: 'https://elsewhere.example/x' },
		{ url: null, uri: 'https://elsewhere.example/x' },
		{ url: '', uri: 'https://elsewhere.example/x', baseURL: 'https://calls.example.com' },
		{ url: 'https://calls.example.com/x', uri: 'https://elsewhere.example/x' },
		{ url: '//elsewhere.example/x', baseURL: 'https://calls.example.com' },
		{ url: 'https://calls.example.com@elsewhere.example/' },
		{ url: 'https://calls.example.com:8443/' },
		{ url: 'http://calls.example.com/' },
		{ url: 'https://' },
		{ url: '/api/v1/calls' },
		{ url: null, uri: null },
		{},
	])('is not added to the request %j', async (request) => {
		await expect(sign(request)).rejects.toThrow(
			'This credential is for https://calls.example.com only',
		);
	});

	it.each([
		{ url: 'https://calls.example.com/other/path' },
		{ uri: 'https://calls.example.com' },
		{ url: '/api/v1/calls', baseURL: 'https://calls.example.com/tms' },
		{ baseURL: 'https://calls.example.com' },
	])('is added to the request %j', async (request) => {
		expect((await sign(request)).headers).toEqual({ authorization: `Bearer ${token}` });
	});

	it('is in no header that n8n 2.0 sends along after every redirect', async () => {
		const headers = { AUTHORIZATION: 'Bearer x', Authorization: 'Bearer y', Accept: '*/*' };
		const signed = await sign({ url: baseUrl, headers });
		expect(signed.headers).toEqual({ Accept: '*/*', authorization: `Bearer ${token}` });
	});
});
