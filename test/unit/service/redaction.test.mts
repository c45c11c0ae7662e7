import { redactionOf } from '../../../nodes/shared/service/http/answer/redaction.ts';

const token = 'tok_live_9f8e7d6c5b4a39281706+/x';

describe("the access token in the service's text", () => {
	const redact = redactionOf(token).words;

	it.each([
		`Token ${token} is not valid`,
		`"${token}"`,
		`Bearer ${token}.`,
		`x=${encodeURIComponent(token)}&y`,
		`auth ${Buffer.from(token).toString('base64')}`,
		'starts with tok_live_9f8e...',
		'ends with …281706+/x',
		`${token}${token}`,
	])('is hidden in %j', (text) => {
		const shown = redact(text);
		expect(shown).toContain('[hidden]');
		expect(shown).not.toMatch(/9f8e|2817/);
	});

	it('leaves everything else alone', () => {
		const text = 'Load 48213 from Chicago, IL: call 20260301-7 about recording live_tok is over';
		expect(redact(text)).toBe(text);
	});

	it('leaves ordinary words alone that are also in the token', () => {
		expect(redactionOf('recording-token-1234').words('No recording found')).toBe(
			'No recording found',
		);
	});

	it('leaves text alone when the token is too short to be distinctive', () => {
		expect(redactionOf('ab').words('about a cab')).toBe('about a cab');
		expect(redactionOf('').words('about')).toBe('about');
	});

	it('is hidden in data only as a whole, and only where it is unambiguous', () => {
		const { data } = redactionOf(token);
		expect(data(`{"echo":"${token}","note":"tok_live_9f8e"}`)).toBe(
			'{"echo":"[hidden]","note":"tok_live_9f8e"}',
		);
		expect(redactionOf('13125550188').data('{"toPhone":"+13125550188"}')).toBe(
			'{"toPhone":"+13125550188"}',
		);
		expect(redactionOf('480213900012345').data('{"id":480213900012345}')).toBe(
			'{"id":480213900012345}',
		);
	});
});
