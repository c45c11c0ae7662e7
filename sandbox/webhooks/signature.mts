import { createHmac } from 'node:crypto';

/** `sha256=<hex>`: HMAC-SHA256 of `<timestamp>.<raw body>`; the timestamp is in Unix seconds. */
function sign(secret: string, timestamp: number, rawBody: string): string {
	const hex = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex');
	return `sha256=${hex}`;
}

/** The headers that go with a signed webhook. */
export const signatureHeaders = (secret: string, timestamp: number, rawBody: string) => ({
	'X-Timestamp': String(timestamp),
	'X-Signature': sign(secret, timestamp, rawBody),
});
