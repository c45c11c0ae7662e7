import { pathPart } from '../../../nodes/shared/service/contract.ts';
import { requireOwnOrigin } from '../../../credentials/CarrierLoadCommunicationsApi.credentials.ts';
import { normalizeBaseUrl } from '../../../nodes/shared/service/credential.ts';

describe('a base URL', () => {
	it.each([
		['https://calls.example.com', 'https://calls.example.com'],
		['https://calls.example.com/', 'https://calls.example.com'],
		['https://calls.example.com///', 'https://calls.example.com'],
		[' https://calls.example.com\n', 'https://calls.example.com'],
		['https://CALLS.example.com:443', 'https://calls.example.com'],
		['https://calls.example.com/api/v1', 'https://calls.example.com'],
		['https://calls.example.com/API/v1//', 'https://calls.example.com'],
		['https://calls.example.com/tms', 'https://calls.example.com/tms'],
		['https://calls.example.com/tms/api/v1/', 'https://calls.example.com/tms'],
		['https://calls.example.com/api/v10', 'https://calls.example.com/api/v10'],
		['https://calls.example.com/?a=1#b', 'https://calls.example.com'],
		['http://localhost:4010', 'http://localhost:4010'],
		['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
		['http://127.5.6.7', 'http://127.5.6.7'],
		['http://[::1]:4010', 'http://[::1]:4010'],
	])('typed as %j is %s', (typed, address) => {
		expect(normalizeBaseUrl(typed)).toBe(address);
	});

	it.each([
		'',
		'  ',
		undefined,
		null,
		42,
		{},
		'calls.example.com',
		'http://calls.example.com',
		'http://localhost.example.com',
		'http://127.0.0.1.example.com',
		'http://10.0.0.5:4010',
		'ws://localhost',
		'javascript:alert(1)',
		'https://user@calls.example.com',
		'https://user:pass@calls.example.com',
	])('is rejected as %j, before anything is sent', (typed) => {
		expect(() => normalizeBaseUrl(typed)).toThrow(
			expect.objectContaining({ details: expect.objectContaining({ kind: 'configuration' }) }),
		);
	});
});

describe('a request with the token', () => {
	it('is the only origin that its token may go to', () => {
		const home = 'https://calls.example.com';
		for (const url of [`${home}/a`, '/a', 'nonsense']) {
			expect(() => requireOwnOrigin(home, { url, baseURL: home })).not.toThrow();
		}
		for (const request of [
			{ url: 'https://x.example/a' },
			{ uri: 'http://calls.example.com/a' },
			{ url: '/a', baseURL: 'https://x.example' },
		]) {
			expect(() => requireOwnOrigin(home, request)).toThrow('This credential is for https://calls');
		}
	});
});

describe('a path segment', () => {
	it('keeps any text intact in a URL, or rejects it', () => {
		const texts = [
			'a',
			'a/b',
			'..a',
			'%2e%2e',
			'?',
			'#',
			' ',
			'ü',
			'😀',
			'\\',
			'\t',
			'a'.repeat(5000),
		];
		for (const text of texts) {
			const url = new URL(`https://x.example/agents/${pathPart('Agent ID', text)}/call`);
			const [, , part = '', end] = url.pathname.split('/');
			expect([decodeURIComponent(part), end]).toEqual([text, 'call']);
		}
		for (const text of ['', '.', '..', '\ud800']) {
			expect(() => pathPart('Agent ID', text)).toThrow('Agent ID');
		}
	});
});
