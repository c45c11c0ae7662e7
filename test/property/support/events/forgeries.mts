import { signed, type Shot } from './sender.mts';

type Change = (shot: Shot, place: number, byte: number) => Shot;

const flip = (text: string, place: number, byte: number) => {
	const at = place % text.length;
	const other = (text.charCodeAt(at) ^ (1 + (byte % 15))) & 0x7f;
	const safe = other < 0x21 || other === 0x7f ? 0x21 : other;
	return `${text.slice(0, at)}${String.fromCharCode(safe)}${text.slice(at + 1)}`;
};
const withHeader = (shot: Shot, name: string, value: string): Shot => ({
	...shot,
	headers: { ...shot.headers, [name]: value },
});

/** Ways to spoil a request that was signed well. */
export const forgeries: Change[] = [
	(shot, place, byte) => {
		const body = Buffer.from(shot.body);
		const at = place % body.length;
		body[at] = (body[at] ?? 0) ^ (1 + (byte % 255));
		return { ...shot, body };
	},
	(shot, place) => ({ ...shot, body: shot.body.subarray(0, place % shot.body.length) }),
	(shot, _place, byte) => ({ ...shot, body: Buffer.concat([shot.body, Buffer.from([byte])]) }),
	(shot, place, byte) =>
		withHeader(shot, 'x-signature', flip(String(shot.headers['x-signature']), place, byte)),
	(shot, place, byte) =>
		withHeader(shot, 'x-timestamp', flip(String(shot.headers['x-timestamp']), place, byte)),
	(shot, place) =>
		withHeader(shot, 'x-signature', String(shot.headers['x-signature']).slice(0, place % 71)),
	(shot) => withHeader(shot, 'x-timestamp', String(Number(shot.headers['x-timestamp']) + 1)),
	({ body }) => signed(body, Date.now(), 'the secret of the fuzz tesT'),
	({ body }) => signed(body, Date.now(), ''),
	({ body }) => ({ ...signed(body, Date.now()), headers: { 'content-type': 'application/json' } }),
];

/** The same signature, only written in another way: a hexadecimal digit in capitals. */
export const isSame = (forged: Shot, shot: Shot) =>
	forged.body.equals(shot.body) &&
	forged.headers['x-timestamp'] === shot.headers['x-timestamp'] &&
	forged.headers['x-signature']?.slice(7).toLowerCase() === shot.headers['x-signature']?.slice(7);
