import { signed, type WebhookRequest } from './sender.mts';

type Change = (request: WebhookRequest, place: number, byte: number) => WebhookRequest;

const flip = (text: string, place: number, byte: number) => {
	const at = place % text.length;
	const other = (text.charCodeAt(at) ^ (1 + (byte % 15))) & 0x7f;
	const safe = other < 0x21 || other === 0x7f ? 0x21 : other;
	return `${text.slice(0, at)}${String.fromCharCode(safe)}${text.slice(at + 1)}`;
};
const withHeader = (request: WebhookRequest, name: string, value: string): WebhookRequest => ({
	...request,
	headers: { ...request.headers, [name]: value },
});

/** Ways to corrupt a correctly signed request. */
export const forgeries: Change[] = [
	(request, place, byte) => {
		const body = Buffer.from(request.body);
		const at = place % body.length;
		body[at] = (body[at] ?? 0) ^ (1 + (byte % 255));
		return { ...request, body };
	},
	(request, place) => ({ ...request, body: request.body.subarray(0, place % request.body.length) }),
	(request, _place, byte) => ({
		...request,
		body: Buffer.concat([request.body, Buffer.from([byte])]),
	}),
	(request, place, byte) =>
		withHeader(request, 'x-signature', flip(String(request.headers['x-signature']), place, byte)),
	(request, place, byte) =>
		withHeader(request, 'x-timestamp', flip(String(request.headers['x-timestamp']), place, byte)),
	(request, place) =>
		withHeader(request, 'x-signature', String(request.headers['x-signature']).slice(0, place % 71)),
	(request) =>
		withHeader(request, 'x-timestamp', String(Number(request.headers['x-timestamp']) + 1)),
	({ body }) => signed(body, Date.now(), 'the secret of the fuzz tesT'),
	({ body }) => signed(body, Date.now(), ''),
	({ body }) => ({ ...signed(body, Date.now()), headers: { 'content-type': 'application/json' } }),
];

/** The same signature in another spelling: a hexadecimal digit in upper case. */
export const isSame = (forged: WebhookRequest, request: WebhookRequest) =>
	forged.body.equals(request.body) &&
	forged.headers['x-timestamp'] === request.headers['x-timestamp'] &&
	forged.headers['x-signature']?.slice(7).toLowerCase() ===
		request.headers['x-signature']?.slice(7);
