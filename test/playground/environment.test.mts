import { n8nEnvironment } from '../../playground/n8n/n8n.mts';

afterEach(() => jest.restoreAllMocks());

it('the n8n that npm start starts sends requests to the sandbox through no proxy', () => {
	const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy'];
	const proxies = Object.fromEntries(names.map((name) => [name, 'http://proxy.example:3128']));
	jest.replaceProperty(process, 'env', { ...process.env, ...proxies });
	const environment = n8nEnvironment({ userFolder: '/n8n', port: 5678, brokerPort: 5679 });
	expect(JSON.stringify(environment)).not.toContain('proxy.example');
	expect(environment['NO_PROXY']).toBe('localhost,127.0.0.1,::1');
});
