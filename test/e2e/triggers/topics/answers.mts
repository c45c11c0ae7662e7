import { gzipSync } from 'node:zlib';
import { eventOf, post, SECRET, send, signed } from '../support/events.mts';
import type { TriggersEnvironment } from '../support/triggers-environment.mts';
import { isGivenN8n } from '../../../../playground/n8n/choice.mts';
import { waitUntil } from '../../../support/wait-until.mts';

/** What the trigger answers to all sorts of requests. */
export function testAnswers(environment: TriggersEnvironment): void {
	describe('the production URL', () => {
		it('responds to every request itself, and starts only what it has to', async () => {
			const { id, url } = await environment.activeTrigger();
			const large = Buffer.alloc(17 * 1024 * 1024, 32);
			const zipped = gzipSync(eventOf({ zipped: true }));
			const cases: Array<[string, number, RequestInit]> = [
				['a signed event', 200, signed(eventOf())],
				['a signed list', 200, signed(`[${eventOf()},${eventOf()}]`)],
				['a signed event as text', 200, signed(eventOf(), { 'content-type': 'text/plain' })],
				['an invalid content type', 200, signed(eventOf(), { 'content-type': ';;=,' })],
				[
					'an unknown charset',
					422,
					signed(eventOf(), { 'content-type': 'application/json; charset=x' }),
				],
				['an empty list', 200, signed('[]')],
				['not signed', 401, post(eventOf())],
				['not signed, and not JSON', 422, post('{"a":')],
				['signed, but changed', 401, { ...signed(eventOf()), body: eventOf() }],
				['signed, but not JSON', 422, signed('{"a":')],
				['signed, but a number', 400, signed('42')],
				['signed, but nothing', 400, signed('')],
				['signed, but XML', 400, signed('<a/>', { 'content-type': 'text/xml' })],
				['signed, but a form', 400, signed('a=b', { 'content-type': 'multipart/form-data' })],
				['signed, but nested too deeply', 400, signed('['.repeat(1e5) + ']'.repeat(1e5))],
				['said to be packed, but not', 500, signed(eventOf(), { 'content-encoding': 'gzip' })],
				[
					'packed, but signed unpacked wrongly',
					401,
					{
						...signed(eventOf(), { 'content-encoding': 'gzip' }),
						body: zipped,
					},
				],
				['too large', 500, signed(large)],
				[
					'too large, of a type that n8n leaves to the node',
					413,
					signed(large, { 'content-type': 'application/cloudevents' }),
				],
				['GET', 405, { method: 'GET' }],
				['HEAD', 405, { method: 'HEAD' }],
				['PUT', 405, { ...signed(eventOf()), method: 'PUT' }],
				['DELETE', 405, { method: 'DELETE' }],
			];
			const seen: Array<[string, number]> = [];
			for (const [what, , request] of cases) {
				const { status } = await send(url, request);
				seen.push([what, status]);
			}
			expect(seen).toEqual(cases.map(([what, status]) => [what, status]));
			await waitUntil('the executions', async () => (await environment.executionCount(id)) === 4);
			if (isGivenN8n()) return;
			expect(environment.log()).toContain(
				'"Trigger" rejected a webhook request: its signature does not',
			);
			expect(environment.log()).not.toContain(SECRET);
		});

		it('responds to health checks if the user wants that', async () => {
			const eventOptions = { healthCheck: true };
			const { url } = await environment.activeTrigger({ authentication: 'none', eventOptions });
			expect(await send(url, post(eventOf()))).toMatchObject({ status: 200 });
			expect(await send(url, { method: 'HEAD' })).toMatchObject({ status: 200 });
			expect((await send(url, { method: 'GET' })).text).toContain('Ready');
		});

		it('does not trust what a sender says about itself', async () => {
			const eventOptions = { allowedAddresses: '203.0.113.0/24' };
			const { id, url } = await environment.activeTrigger({ authentication: 'none', eventOptions });
			const request = post(eventOf(), { 'x-forwarded-for': '203.0.113.7' });
			expect(await send(url, request)).toMatchObject({ status: 401 });
			expect(await environment.executionIds(id)).toEqual([]);
		});

		it('acknowledges filtered events without starting the workflow', async () => {
			const { id, url } = await environment.activeTrigger({
				eventKinds: 'only',
				kinds: 'call.failed',
			});
			const { status, text } = await send(url, signed(eventOf()));
			expect([status, JSON.parse(text)]).toEqual([
				200,
				expect.objectContaining({ filtered: 1, started: 0 }),
			]);
			expect(await environment.executionIds(id)).toEqual([]);
		});

		it('rejects unauthenticated requests', async () => {
			const { id, url } = await environment.activeTrigger();
			// Not XML: n8n 2.41 never finishes parsing invalid text/xml, not even for its own Webhook node.
			const kinds = ['application/json', 'multipart/form-data; boundary=x', 'x', ''];
			const encodings = ['', 'gzip', 'deflate', 'br', 'nonsense'];
			const bodies = ['{}', '{"__proto__":{"polluted":1}}', '[', '\u0000', '<a/>', 'a=b', ''];
			const seen = new Set<number>();
			for (const kind of kinds) {
				for (const encoding of encodings) {
					for (const body of bodies) {
						const headers = {
							...(kind && { 'content-type': kind }),
							...(encoding && { 'content-encoding': encoding }),
							'x-signature': `sha256=${'0'.repeat(64)}`,
							'x-timestamp': String(Math.floor(Date.now() / 1000)),
						};
						seen.add((await send(url, { method: 'POST', body, headers })).status);
					}
				}
			}
			// n8n itself answers 422 and 500 to bodies that it cannot read.
			expect([...seen].sort()).toEqual([400, 401, 422, 500]);
			expect(await environment.executionIds(id)).toEqual([]);
		});
	});

	// Only the editor's API makes it listen.
	if (isGivenN8n()) return;
	describe('the test URL', () => {
		it('behaves like the production URL', async () => {
			const { id, path } = await environment.trigger();
			const url = `${environment.baseUrl}/webhook-test/${path}`;
			const listen = async () => {
				const run = { triggerToStartFrom: { name: 'Trigger' } };
				await environment.session.rest.send('listen', 'POST', `/rest/workflows/${id}/run`, run);
			};
			const untilCount = async (count: number) =>
				await waitUntil(
					'the test run',
					async () => (await environment.executionCount(id)) === count,
				);
			const body = eventOf();
			for (let nth = 0; nth < 2; nth++) {
				await listen();
				expect(await send(url, post(body))).toMatchObject({ status: 401 });
				// The editor shows what came instead of the event, and has to listen again.
				await untilCount(2 * nth + 1);
				const [shown = ''] = await environment.executionIds(id);
				expect(await environment.itemsOf(shown, 'Trigger')).toEqual([
					expect.objectContaining({ message: expect.stringMatching(/^Rejected: /) }),
				]);
				await listen();
				expect(await send(url, signed('{"a":'))).toMatchObject({ status: 422 });
				expect(await send(url, { method: 'PUT' })).toMatchObject({ status: 405 });
				expect(await send(url, signed(body))).toMatchObject({ status: 200 });
				await untilCount(2 * nth + 2);
			}
		});
	});
}
