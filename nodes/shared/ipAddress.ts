import { IPv4, IPv6, parse } from './ipLibrary';

export type Address = IPv4 | IPv6;

/**
 * An IP address, also with brackets (`[::1]`); an IPv4 address inside an IPv6 one is that IPv4
 * address. Undefined for anything else, also for old IPv4 forms such as `010.1`, which are ambiguous.
 */
export function readAddress(text: string): Address | undefined {
	const bare = text.trim().replace(/^\[(.*)\]$/, '$1');
	if (!IPv4.isValidFourPartDecimal(bare) && !IPv6.isValid(bare)) return undefined;
	const address = parse(bare);
	const isMapped = address instanceof IPv6 && address.isIPv4MappedAddress();
	return isMapped ? address.toIPv4Address() : address;
}

/**
 * Whether a host name or IP address can be on the public internet: a name with a dot, or an address
 * of no special range (RFC 6890), also if it is translated into IPv6. (n8n's own SSRF protection, if
 * enabled, also checks what a name resolves to.)
 * @param hostname from `URL`: IPv4 in dotted decimal, IPv6 in brackets
 */
export function isPublicHost(hostname: string): boolean {
	const address = readAddress(hostname);
	if (address !== undefined) return address.range() === 'unicast' && isAssigned(address);
	const name = hostname.toLowerCase().replace(/\.$/, '');
	const isLocal = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/.test(name);
	return name.includes('.') && !isLocal;
}

/** The internet uses only 2000::/3 of IPv6 (RFC 4291), without 3fff::/20 (RFC 9637). */
function isAssigned(address: Address): boolean {
	if (address instanceof IPv4) return true;
	const [first = 0, second = 0] = address.parts;
	return first >>> 13 === 1 && !(first === 0x3fff && second < 0x1000);
}
