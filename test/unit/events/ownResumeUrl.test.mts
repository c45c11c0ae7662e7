import { ownResumeUrl } from '../../../nodes/CarrierLoadCommunicationsTrigger/resume.ts';

const own = 'https://n8n.example.com/flows/webhook-waiting/__UNKNOWN__';
const accepted = (url: string, from = own) => ownResumeUrl(url, from);
const waiting = 'https://n8n.example.com/flows/webhook-waiting/231';

describe('the resume URL of an event', () => {
	it.each([`${waiting}?signature=ab12&wait=7`, `${waiting}/node-1?signature=x`, waiting])(
		'is used if it belongs to this n8n: %s',
		(url) => {
			expect(accepted(url)).toBe(url);
		},
	);

	it.each([
		['another host', 'https://evil.example.com/flows/webhook-waiting/231'],
		['another port', 'https://n8n.example.com:8443/flows/webhook-waiting/231'],
		['another scheme', 'http://n8n.example.com/flows/webhook-waiting/231'],
		[
			'another host behind a user',
			'https://n8n.example.com@evil.example.com/flows/webhook-waiting/231',
		],
		['a user', 'https://a:b@n8n.example.com/flows/webhook-waiting/231'],
		['a longer host', 'https://n8n.example.com.evil.com/flows/webhook-waiting/231'],
		['another path', 'https://n8n.example.com/flows/webhook/231'],
		['the API', 'https://n8n.example.com/rest/workflows'],
		['a path out of it', 'https://n8n.example.com/flows/webhook-waiting/../../rest/workflows'],
		['an encoded path out of it', 'https://n8n.example.com/flows/webhook-waiting/%2e%2e/rest'],
		['an encoded slash', 'https://n8n.example.com/flows/webhook-waiting/..%2frest'],
		['a path that only begins so', 'https://n8n.example.com/flows/webhook-waiting-x/231'],
		['no execution', 'https://n8n.example.com/flows/webhook-waiting/'],
		['another protocol', 'file:///flows/webhook-waiting/231'],
		['no URL', '/flows/webhook-waiting/231'],
		['empty', ''],
	])('is not used if it is %s', (_what, url) => {
		expect(accepted(url)).toBeUndefined();
	});

	it('loses its fragment', () => {
		expect(accepted(`${waiting}?signature=1#x`)).toBe(`${waiting}?signature=1`);
	});

	it('is never used if the URL of this n8n is unknown', () => {
		for (const unknown of ['', 'undefined/1', 'https://n8n.example.com/']) {
			expect(accepted(waiting, unknown)).toBeUndefined();
		}
	});
});
