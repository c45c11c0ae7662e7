import { readVerifier } from '../../../../nodes/CarrierLoadCommunicationsTrigger/verify/methods.ts';

/** Noon on March 2, 2026. */
export const now = Date.parse('2026-03-02T12:00:00Z');
export const seconds = String(now / 1000);
export const body = Buffer.from('{ "callId" :  48213, "note": "ETA 14:30 \u2013 on time" }');

/** Why a request is rejected with these settings; undefined if it is accepted. */
export function judge(
	credential: object,
	headers: Record<string, string>,
	raw = body,
	nowMs = now,
): string | undefined {
	const verifier = readVerifier(credential);
	if (typeof verifier === 'string') return verifier;
	return verifier.checkHeaders?.(headers) ?? verifier.checkBody?.(headers, raw, nowMs);
}
