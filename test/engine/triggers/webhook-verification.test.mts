import { createHmac, randomUUID } from 'node:crypto';
import { startSandbox } from '../../../sandbox/index.mts';
import { startEngine, type Engine, type WebhookRequest } from '../support/harness/index.mts';
import { addressOf, receiver } from '../support/triggers/webhook-receiver.mts';
import { event, open, senderTo } from '../support/triggers/webhook-sender.mts';

const SECRET = 'agreed-with-the-operator';
const credentials = { carrierLoadCommunicationsWebhookApi: { method: 'hmac', secret: SECRET } };

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

const send = senderTo(() => engine);

function signed(body: string, secret = SECRET, time = Math.floor(Date.now() / 1000)) {
	const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
	const headers = {
		...{ 'content-type': 'application/json', 'x-timestamp': String(time) },
		'x-signature': `sha256=${signature}`,
	};
	return { rawBody: body, headers, credentials };
}

describe('a signed event', () => {
	it('starts the workflow with one item', async () => {
		const rawBody = '{ "event" : "call.completed", "data":{"callId":7}, "metadata": {"a":1} }';
		const { status, body, workflowData, logs } = await send({ output: 'all' }, signed(rawBody));
		expect(status).toBe(200);
		expect(body).toMatchObject({ message: 'Received', started: 1 });
		expect(workflowData).toEqual([
			[
				{
					json: {
						...{ event: 'call.completed', callId: 7, metadata: { a: 1 } },
						receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
						payload: JSON.parse(rawBody),
					},
				},
			],
		]);
		expect(logs).toEqual([]);
	});

	it.each([
		['signed with another secret', signed('{}', 'another secret of somebody')],
		['signed ten minutes ago', signed('{}', SECRET, Date.now() / 1000 - 600)],
		['not signed', { body: event, credentials }],
		['signed, but no credential is chosen', { ...signed('{}'), credentials: {} }],
		[
			'signed, but the credential has no secret',
			{
				...signed('{}', ''),
				credentials: { carrierLoadCommunicationsWebhookApi: { method: 'hmac', secret: '' } },
			},
		],
	])(
		'is rejected if it is %s, with one warning that contains no secret',
		async (_what, request) => {
			const { status, body, started, staticData, logs } = await send({}, request);
			expect({ status, started, body }).toEqual({
				...{ status: 401, started: false },
				body: { message: 'Not authorized' },
			});
			expect(logs.map(({ level }) => level)).toEqual(['warn']);
			expect(logs[0]?.text).toContain('"Node under test" rejected a webhook request: ');
			expect(JSON.stringify(logs)).not.toContain(SECRET);
			expect(staticData).toEqual({});
		},
	);

	it("is rejected with the credential's name in the log, or with what is missing", async () => {
		const { logs } = await send({}, signed('{}', 'another secret of somebody'));
		expect(logs[0]?.text).toContain(
			'its signature does not match the secret (checked with the credential "carrierLoadCommunicationsWebhookApi of the test")',
		);
		const missing = await send({}, { ...signed('{}'), credentials: {} });
		expect(missing.logs[0]?.text).toContain(
			'the trigger has no Carrier Load Communications Webhook API credential',
		);
	});

	it('is accepted from the sandbox', async () => {
		const sandbox = await startSandbox({ calls: 1 });
		try {
			const seen: WebhookRequest[] = [];
			const server = await receiver(async (request) => {
				seen.push(request);
				return 200;
			});
			await sandbox.deliver({ metadata: { mine: 1 } }, { url: addressOf(server), secret: SECRET });
			server.close();
			const { status, workflowData } = await send({ output: 'all' }, { ...seen[0], credentials });
			expect(status).toBe(200);
			expect(workflowData?.[0]?.[0]?.json).toMatchObject({
				...{ event: 'call.completed', metadata: { mine: 1 }, loadNumber: '48213' },
			});
		} finally {
			await sandbox.close();
		}
	});
});

describe('a request that is rejected while the editor waits for a test event', () => {
	const test = { mode: 'manual' } as const;

	it('gets its 401, and the test shows one item that says what is wrong', async () => {
		const { status, body, result, logs } = await send(
			{},
			{ ...signed('{}', 'another secret of somebody'), ...test },
		);
		expect({ status, body }).toEqual({ status: 401, body: { message: 'Not authorized' } });
		expect(result?.noWebhookResponse).toBe(true);
		expect(result?.workflowData).toEqual([
			[
				{
					json: {
						error: 'The request was rejected with status 401',
						message: expect.stringContaining(
							'its signature does not match the secret (checked with the credential "',
						),
					},
				},
			],
		]);
		expect(JSON.stringify(result)).not.toMatch(new RegExp(`${SECRET}|another secret|\\bat `));
		expect(logs.map(({ level }) => level)).toEqual(['warn']);
	});

	it('shows a body that is no JSON, too', async () => {
		const { status, workflowData } = await send(
			{ authentication: 'none' },
			{ rawBody: '7', ...test },
		);
		expect(status).toBe(400);
		expect(workflowData?.[0]?.[0]?.json).toEqual({
			error: 'The request was rejected with status 400',
			message: 'Rejected: The body must be a JSON object or an array',
		});
	});

	it('never starts the published workflow', async () => {
		const sent = signed('{}', 'another secret of somebody');
		const { status, result, started } = await send({}, { ...sent, mode: 'webhook' });
		expect({ status, result, started }).toEqual({
			...{ status: 401, started: false },
			result: { noWebhookResponse: true },
		});
	});
});

describe('a credential that changes', () => {
	it('counts immediately, and a secret that was removed no longer', async () => {
		const type = 'carrierLoadCommunicationsWebhookApi';
		const data = (secret: string) => ({ method: 'header', secret, headerName: 'X-Secret' });
		const given = { [type]: data('the secret of last year') };
		const options = { credentials: given, node: { id: randomUUID() } };
		const parameters = { eventOptions: { ignoreRepeats: false } };
		const { port, close } = await engine.openWebhook(parameters, () => undefined, options);
		const statusWith = async (secret: string) => {
			const headers = { 'content-type': 'application/json', 'x-secret': secret };
			const request = { method: 'POST', headers, body: JSON.stringify(event) };
			return (await fetch(`http://127.0.0.1:${port}/webhook`, request)).status;
		};
		try {
			expect(await statusWith('the secret of last year')).toBe(200);
			expect(await statusWith('the new secret')).toBe(401);
			const { [type]: stored } = await engine.credentials.save(given);
			if (!stored) throw new Error('The credential is missing');
			await engine.credentials.updateCredentials(stored, type, data('the new secret'));
			expect(await statusWith('the secret of last year')).toBe(401);
			expect(await statusWith('the new secret')).toBe(200);
			await engine.credentials.updateCredentials(stored, type, data('the newest secret'));
			expect(await statusWith('the newest secret')).toBe(200);
			expect(await statusWith('the new secret')).toBe(401);
		} finally {
			close();
		}
	});
});

describe('other methods', () => {
	it('accept a bearer token', async () => {
		const bearer = { method: 'bearer', token: 'a-token-that-nobody-guesses' };
		const request = { body: event, credentials: { carrierLoadCommunicationsWebhookApi: bearer } };
		const refused = await send({}, request);
		expect(refused).toMatchObject({ status: 401, started: false });
		const headers = { authorization: `Bearer ${bearer.token}` };
		expect(await send({}, { ...request, headers })).toMatchObject({ status: 200, started: true });
	});

	it('accept a user and password as the secret in the Authorization header', async () => {
		const secret = `Basic ${btoa('dispatch:a password')}`;
		const header = { method: 'header', secret, headerName: 'Authorization' };
		const request = { body: event, credentials: { carrierLoadCommunicationsWebhookApi: header } };
		const by = async (authorization: string) =>
			(await send({}, { ...request, headers: { authorization } })).status;
		expect([await by(secret), await by(`Basic ${btoa('dispatch:other')}`)]).toEqual([200, 401]);
	});

	it('accept only allowed IP addresses, and do not trust a header', async () => {
		const from = (allowedAddresses: string, headers = {}) =>
			send({ ...open, eventOptions: { allowedAddresses } }, { body: event, headers });
		expect(await from('127.0.0.0/8')).toMatchObject({ status: 200, started: true });
		expect(await from('::1, ::ffff:127.0.0.1')).toMatchObject({ status: 200 });
		const refused = await from('203.0.113.7', { 'x-forwarded-for': '203.0.113.7' });
		expect(refused).toMatchObject({ status: 401, started: false });
		expect(refused.logs[0]?.text).toContain('127.0.0.1 is not on the allowlist');
		expect((await from('my-host')).logs[0]?.text).toContain('not IP addresses: my-host');
	});

	it('are tested in the editor for whether the credential can be used', async () => {
		const type = engine.types.getByNameAndVersion(
			'n8n-nodes-carrier-load-communications.carrierLoadCommunicationsTrigger',
		);
		const test = type.methods?.credentialTest?.testWebhookCredential;
		const judge = async (data: object) =>
			await test?.call({} as never, { id: '1', name: '', type: '', data } as never);
		const good = { method: 'hmac', secret: SECRET, headerName: 'X-Signature' };
		expect(await judge(good)).toMatchObject({ status: 'OK' });
		expect(await judge({ ...good, secret: 'short' })).toMatchObject({
			...{ status: 'Error', message: expect.stringContaining('easy to guess') },
		});
		expect(await judge({ ...good, secret: '' })).toMatchObject({
			...{ status: 'Error', message: expect.stringContaining('has no secret') },
		});
	});
});
