import type { IHttpRequestOptions } from 'n8n-workflow';
import type { ServiceClient } from '../../../../nodes/shared/service/client.ts';
import { checkCall, dialWith } from '../../support/service/check-call.mts';
import { failureOf, startProbe, type Probe } from '../../support/service/probe.mts';
import { json, withServer } from '../../support/service/raw-server.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());

describe('a request of another node with this credential', () => {
	const send = async (baseUrl: string, request: IHttpRequestOptions) =>
		await probe.run({ baseUrl, token: 'secret-token' }, async (_client, context) => {
			const { httpRequestWithAuthentication: ask } = context.helpers;
			return await ask.call(context, 'carrierLoadCommunicationsApi', request);
		});

	it.each([
		['its URL', (origin: string) => ({ url: `${origin}/calls` })],
		['its base URL', (origin: string) => ({ baseURL: origin, url: '/calls' })],
	])('is not sent if its token would be unencrypted: http in %s', async (_what, requestTo) => {
		await withServer(
			(socket) => socket.end(json({})),
			async (baseUrl, requests) => {
				// Leads to the same server, but is not a name of this machine only.
				const { error } = await send(baseUrl, requestTo(baseUrl.replace('127.0.0.1', '0.0.0.0')));
				expect(requests).toEqual([]);
				expect(String(error)).toContain('This credential is for');
			},
		);
	});

	it('has the token if it stays on this machine', async () => {
		await withServer(
			(socket) => socket.end(json({})),
			async (baseUrl, requests) => {
				await send(baseUrl, { baseURL: baseUrl, url: '/calls' });
				expect(requests).toEqual([
					expect.stringMatching(/^GET \S+\/calls [^]*\r\nauthorization: Bearer secret-token\r\n/i),
				]);
			},
		);
	});
});

async function dialAgent(client: ServiceClient, agentId: string) {
	const call = { kind: 'agentCall', subject: { agentId } } as const;
	return await client.placeCall(call, { toPhone: '+13125550188' });
}

describe('what is sent', () => {
	it('is exactly the body, with the token and the right headers', async () => {
		await withServer(
			(socket) => socket.end(json({ success: true, call: null })),
			async (baseUrl, requests) => {
				const metadata = JSON.parse('{"__proto__":"x","constructor":1,"a b":"ü"}');
				await probe.run(
					{ baseUrl: `${baseUrl}/tms/api/v1/`, token: 'secret-token' },
					async (client) => dialWith(client, { ...checkCall, driverName: undefined, metadata }),
				);
				const [head = '', body = ''] = (requests[0] ?? '').split('\r\n\r\n');
				expect(head).toMatch(
					/^POST http:\/\/127.0.0.1:\d+\/tms\/api\/v1\/track-and-trace\/trigger-check-call HTTP/,
				);
				expect(head).toMatch(/\r\nauthorization: Bearer secret-token(\r\n|$)/i);
				expect(head).toMatch(/\r\ncontent-type: application\/json(\r\n|$)/i);
				expect(body).toBe(
					'{"toPhone":"+13125550188","loadNumber":"48213","nextStopIndex":1,"metadata":{"__proto__":"x","constructor":1,"a b":"ü"}}',
				);
			},
		);
	});

	it.each([
		['a/b', 'a%2Fb'],
		['../calls', '..%2Fcalls'],
		['100%', '100%25'],
		['%2e%2e', '%252e%252e'],
		['...', '...'],
		['agent 7?x=1#y', 'agent%207%3Fx%3D1%23y'],
		['näh 電', 'n%C3%A4h%20%E9%9B%BB'],
		['a\\b', 'a%5Cb'],
		['a;b=c', 'a%3Bb%3Dc'],
	])('has the agent "%s" as one segment of the path', async (agentId, part) => {
		await withServer(
			(socket) => socket.end(json({ status: 'success', call: {} })),
			async (baseUrl, requests) => {
				await probe.run({ baseUrl }, async (client) => dialAgent(client, agentId));
				expect(requests[0]).toMatch(/^POST /);
				expect(requests[0]?.split(' ')[1]).toBe(
					`${baseUrl}/api/v1/custom-use-cases/${part}/create-phone-call`,
				);
			},
		);
	});

	it.each(['.', '..', '', '\ud800'])(
		'is nothing for an agent ID that cannot be part of a path (%j)',
		async (agentId) => {
			await withServer(
				(socket) => socket.end(json({})),
				async (baseUrl, requests) => {
					const failure = failureOf(
						await probe.run({ baseUrl }, async (client) => dialAgent(client, agentId)),
					);
					expect(failure.details.kind).toBe('configuration');
					expect(failure.nothingHappened).toBe(true);
					expect(requests).toEqual([]);
				},
			);
		},
	);
});
