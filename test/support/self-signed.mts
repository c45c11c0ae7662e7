import { generateKeyPairSync, sign } from 'node:crypto';

// Just enough of DER (X.690) and X.509 (RFC 5280) for an untrusted certificate.

function der(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const length =
		content.length < 128
			? Buffer.from([content.length])
			: Buffer.from([0x82, content.length >> 8, content.length & 0xff]);
	return Buffer.concat([Buffer.from([tag]), length, content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date) =>
	der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

/**
 * A key and a self-signed certificate for 127.0.0.1 and other hosts, valid for a day.
 *
 * @param hosts names, each below 100 characters
 */
export function selfSigned(hosts: string[] = []): { key: string; cert: string } {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
	const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('127.0.0.1')))));
	const address = sequence(
		der(0x87, Buffer.from([127, 0, 0, 1])),
		...hosts.map((host) => der(0x82, Buffer.from(host))),
	);
	const extensions = sequence(sequence(oid('551d11'), der(0x04, address)));
	const day = 24 * 60 * 60 * 1000;
	const body = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1])),
		ecdsaWithSha256,
		name,
		sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, extensions),
	);
	const signature = sign('sha256', body, privateKey);
	const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
	const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
	return {
		key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
	};
}
