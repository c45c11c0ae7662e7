import { isRecord } from '../parse/fields';

/** How requests are verified: the webhook credential, checked and with its defaults filled in. */
export type Verification = HmacVerification | HeaderVerification | BasicVerification;

export interface HmacVerification {
	method: 'hmac';
	/** The secret, and the former one while it is being replaced. Never empty. */
	secrets: string[];
	headerName: string;
	algorithm: 'sha256' | 'sha512';
	encoding: 'hex' | 'base64';
	/** What stands before the signature in its header; may be empty. */
	prefix: string;
	/** Header with the time of sending; empty when the time is not signed. */
	timestampHeader: string;
	toleranceMs: number;
}

export interface HeaderVerification {
	method: 'header';
	secrets: string[];
	headerName: string;
}

export interface BasicVerification {
	method: 'basic';
	user: string;
	/** The password, and the former one while it is being replaced. Never empty. */
	secrets: string[];
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/** The credential's settings; text says what is missing, and then nobody may be let in. */
export function readVerification(credential: unknown): Verification | string {
	if (!isRecord(credential)) return 'the webhook credential cannot be read';
	const text = (name: string) => {
		const value = credential[name];
		return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
	};
	const method = text('method');
	const first = text(method === 'basic' ? 'password' : 'secret');
	if (method === 'basic') {
		const user = text('user');
		if (user === '' || first === '') return 'the webhook credential has no user or no password';
		return { method, user, secrets: filled(first, text('previousSecret')) };
	}
	if (first === '') return 'the webhook credential has no secret';
	const secrets = filled(first, text('previousSecret'));
	const headerName = text('headerName').trim().toLowerCase();
	if (headerName === '') return 'the webhook credential names no header';
	if (method === 'header') return { method, secrets, headerName };
	if (method !== 'hmac') return 'the webhook credential has an unknown method';
	return {
		method,
		secrets,
		headerName,
		algorithm: text('algorithm') === 'sha512' ? 'sha512' : 'sha256',
		encoding: text('encoding') === 'base64' ? 'base64' : 'hex',
		prefix: text('prefix').trim(),
		timestampHeader: text('timestampHeader').trim().toLowerCase(),
		toleranceMs: readTolerance(credential.toleranceSeconds) * 1000,
	};
}

function filled(...secrets: string[]): string[] {
	return secrets.filter((secret) => secret !== '');
}

function readTolerance(value: unknown): number {
	const seconds = Number(value ?? DEFAULT_TOLERANCE_SECONDS);
	return Number.isFinite(seconds) && seconds > 0 ? seconds : DEFAULT_TOLERANCE_SECONDS;
}
