import { readAddress } from '../../ipAddress';

/** Kinds of IP addresses outside the public internet that have hosts (RFC 6890). */
const PRIVATE_RANGES = new Set([
	...['unspecified', 'loopback', 'linkLocal', 'private', 'carrierGradeNat', 'uniqueLocal'],
	// Contains 198.18.0.0/15, which test networks and proxies use.
	'reserved',
]);

/**
 * Whether a host name or address means this machine or a private network. (n8n's own SSRF
 * protection, if enabled, also checks what a name resolves to.)
 *
 * @param hostname from `URL`: IPv4 in dotted decimal, IPv6 in brackets
 */
export function isPrivateHost(hostname: string): boolean {
	if (/(^|\.)(localhost|local|internal)\.?$/.test(hostname)) return true;
	const address = readAddress(hostname);
	return address !== undefined && PRIVATE_RANGES.has(address.range());
}
