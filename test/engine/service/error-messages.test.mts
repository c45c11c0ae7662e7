import { shortBackoffs } from '../../support/pauses.mts';
import { answering } from '../support/service/answering-server.mts';
import { startProbe, type Probe } from '../support/service/probe.mts';
import { errorsBy } from '../support/service/shown-error.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());
afterEach(() => jest.restoreAllMocks());

const shownFor = errorsBy(() => probe);

describe('the error of a failed item', () => {
	it.each([
		[400, 'the service did not understand the request', 'Check the values'],
		[401, 'the service rejected the access token', 'Check the access token'],
		[403, 'the service does not allow this', 'whether your organization is allowed'],
		[404, 'the service could not find what was requested', 'Check the base URL'],
		[407, 'a proxy between n8n and the service asks n8n to sign in', 'your n8n administrator'],
		[409, 'the request conflicts with an existing record', 'Look up the existing record'],
		[418, 'the service refused the request', 'Check the values'],
		[422, 'the service rejected the values', 'Check the values'],
		[429, 'the service received too many requests', 'Try again later'],
		[500, 'the service returned a server error', 'Try again later'],
		[503, 'the service returned a server error', 'Try again later'],
	])(
		'at status %i says what happened, what the service said and what to do',
		async (status, what, advice) => {
			const { message, description, error } = await shownFor(
				answering(status, '{"message":"Load 48213 is closed"}'),
			);
			expect(message).toContain(`Couldn't get calls: ${what}`);
			expect(message).toContain(`(status ${status})`);
			expect(description).toContain('The service said: "Load 48213 is closed".');
			expect(description).toContain(advice);
			expect(description).toContain('Request: GET /api/v1/calls (load 48213)');
			expect(error.context['itemIndex']).toBe(0);
			expect(error).toMatchObject({ httpCode: String(status) });
		},
	);

	it.each([
		[
			'a web page',
			'<!DOCTYPE html><html><body>Sign in</body></html>',
			'a web page instead of data',
		],
		['nothing', '', 'responded with nothing'],
		['blanks', ' \n ', 'responded with nothing'],
		['null', 'null', 'data in an unexpected format'],
		['a list', '[1,2]', 'data in an unexpected format'],
		['a text', '"hello"', 'data in an unexpected format'],
		['a number', '42', 'data in an unexpected format'],
		['cut off JSON', '{"calls":[{"id":1', 'broken or incomplete data'],
		['no JSON', 'calls: none', 'broken or incomplete data'],
		['an object without the list', '{"ok":true}', 'without the requested list "calls"'],
		['null for the list', '{"calls":null}', 'without the requested list "calls"'],
		['an object for the list', '{"calls":{}}', 'without the requested list "calls"'],
		['a list of numbers', '{"calls":[1,2]}', 'without the requested list "calls"'],
		['a list of lists', '{"calls":[[]]}', 'without the requested list "calls"'],
	])(
		'names what the service returned when a response of status 200 is %s',
		async (_what, body, said) => {
			const { message, description } = await shownFor(answering(200, body));
			expect(message).toContain("Couldn't get calls: the service responded");
			expect(message).toContain(said);
			expect(description).toContain('Check the base URL');
			expect(description).toContain('Request: GET /api/v1/calls (load 48213');
		},
	);

	it.each([
		['{"error":"no such load"}', 'no such load'],
		['{"error":{"message":"no such load"}}', 'no such load'],
		['{"detail":[{"message":"too long"},{"message":"too short"}]}', 'too long; too short'],
		['{"errors":["a","b"]}', 'a; b'],
		['"no such load"', 'no such load'],
		['no such load', 'no such load'],
	])("finds the service's words in %s", async (body, words) => {
		const { description } = await shownFor(answering(400, body));
		expect(description).toContain(`The service said: "${words}".`);
	});

	it.each([
		'',
		'null',
		'{}',
		'[]',
		'{"message":null}',
		'{"message":{"a":1}}',
		'<html>x</html>',
		'0',
	])('quotes nothing where the service says nothing (%s)', async (body) => {
		const { description } = await shownFor(answering(400, body));
		expect(description).not.toContain('The service said');
		expect(description).not.toContain('undefined');
		expect(description).not.toContain('[object');
	});

	it.each([
		'A preexisting call is in progress',
		'ENOENT ECONNREFUSED',
		'The econnreset flag is set',
		'bad gateway',
	])('keeps its message when the service says "%s"', async (words) => {
		const { message, description } = await shownFor(
			answering(400, JSON.stringify({ message: words })),
		);
		expect(message).toBe(
			"Couldn't get calls: the service did not understand the request (status 400)",
		);
		expect(description).toContain(words);
	});

	it('names the socket error, and keeps n8n from rewording the message', async () => {
		const { message, description } = await shownFor((request) => request.socket.resetAndDestroy());
		expect(message).toMatch(
			/^Couldn't get calls: the connection to 127\.0\.0\.1:\d+ was lost before the response was complete$/,
		);
		expect(description).toContain('ECONNRESET');
	});

	it('says how many attempts were made', async () => {
		shortBackoffs();
		const { description } = await shownFor(answering(503, ''), { retryBudgetMs: 30_000 });
		expect(description).toContain('tried 6 times');
	});

	it('recognizes a wrong base URL by a 404 that does not come from the service', async () => {
		const { message } = await shownFor(answering(404, '<html>Not found</html>', 'text/html'));
		expect(message).toContain('the service was not found at the base URL (status 404)');
	});

	it('does not quote binary data', async () => {
		const { description } = await shownFor(answering(418, Buffer.from('ID3\0\xff\xfb', 'latin1')));
		expect(description).not.toContain('The service said');
	});

	it.each([304, 300, 306])('does not call status %i a redirect', async (status) => {
		const { message, description } = await shownFor(answering(status, ''));
		expect(`${message} ${description}`).not.toContain('redirect');
		expect(message).toContain(`(status ${status})`);
	});

	it.each([
		['1.5', 'wait 2 seconds. Run it again after that'],
		['3600', 'wait 1 hour. Run it again after that'],
		['259200', 'wait 3 days. Run it again after that'],
		['2592000', 'Try again later'],
		['99999999999', 'Try again later'],
		['Fri, 01 Jan 2999 00:00:00 GMT', 'Try again later'],
		['Fri, 01 Jan 2999 00:00:00 -0500', 'Try again later'],
		['-5', 'Try again later'],
		['PT5M', 'Try again later'],
	])('says what to do after Retry-After: %s', async (retryAfter, advice) => {
		const { description } = await shownFor((_request, response) => {
			response.writeHead(429, { 'Retry-After': retryAfter }).end();
		});
		expect(description).toContain(`${advice}. `);
	});

	it('shortens what the service says', async () => {
		const { description } = await shownFor(
			answering(400, JSON.stringify({ message: 'x'.repeat(5000) })),
		);
		expect(description.length).toBeLessThan(600);
	});
});
