import { resumeAddress } from '../../../nodes/CarrierLoadCommunicationsTrigger/deliver/resume.ts';

const own = 'https://n8n.example.com/flows/webhook-waiting/__UNKNOWN__';
const address = (n8nResumeUrl: unknown, from = own) =>
	resumeAddress({ n8nResumeUrl } as never, from);
const waiting = 'https://n8n.example.com/flows/webhook-waiting/231';

describe('the address of a waiting execution', () => {
	it.each([`${waiting}?signature=ab12&wait=7`, `${waiting}/node-1?signature=x`, waiting])(
		'is taken when it is one of this n8n: %s',
		(url) => {
			expect(address(url)).toBe(url);
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
		['a way out', 'https://n8n.example.com/flows/webhook-waiting/../../rest/workflows'],
		['an encoded way out', 'https://n8n.example.com/flows/webhook-waiting/%2e%2e/rest'],
		['an encoded slash', 'https://n8n.example.com/flows/webhook-waiting/..%2frest'],
		['a path that only begins so', 'https://n8n.example.com/flows/webhook-waiting-x/231'],
		['no execution', 'https://n8n.example.com/flows/webhook-waiting/'],
		['another protocol', 'file:///flows/webhook-waiting/231'],
		['no address', '/flows/webhook-waiting/231'],
		['no text', { href: waiting }],
		['nothing', undefined],
	])('is not taken when it is %s', (_what, url) => {
		expect(address(url)).toBeUndefined();
	});

	it('does not keep a fragment', () => {
		expect(address(`${waiting}?signature=1#x`)).toBe(`${waiting}?signature=1`);
	});

	it('is never taken when the own address is not known', () => {
		for (const unknown of ['', 'undefined/1', 'https://n8n.example.com/']) {
			expect(address(waiting, unknown)).toBeUndefined();
		}
	});
});
