import { textIn } from '../../../../../playground/n8n/rest.mts';
import { check, Service } from './stand-in.mts';

export const SLACK_TOKEN = 'xoxb-test-token-of-slack';

/** A channel, as Slack documents chat.postMessage and chat.update. A failure has status 200 there. */
export function slack() {
	const messages = new Map<string, string>();
	const service = new Service(
		'slack.com',
		SLACK_TOKEN,
		(_status, message) => ({ status: 200, body: { ok: false, error: message } }),
		[
			[
				'POST',
				/^\/api\/chat\.postMessage$/,
				({ body }) => {
					check(textIn(body, 'channel') === '#calls', 'channel_not_found');
					check(textIn(body, 'text') !== '', 'no_text');
					const ts = `1763740000.00000${messages.size + 1}`;
					messages.set(ts, textIn(body, 'text'));
					return { status: 200, body: { ok: true, channel: 'C0123ABCD', ts } };
				},
			],
			[
				'POST',
				/^\/api\/chat\.update$/,
				({ body }) => {
					const ts = textIn(body, 'ts');
					// Unlike chat.postMessage, it takes no channel name.
					check(textIn(body, 'channel') === 'C0123ABCD', 'channel_not_found');
					check(messages.has(ts), 'message_not_found');
					messages.set(ts, textIn(body, 'text'));
					return { status: 200, body: { ok: true, channel: 'C0123ABCD', ts } };
				},
			],
		],
	);
	return { service, messages };
}
