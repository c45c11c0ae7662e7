import { IPv4, IPv6, parse } from './ipLibrary';

export type Address = IPv4 | IPv6;

/**
 * An IP address, also with brackets (`[::1]`). Undefined for anything else, and for old IPv4 forms
 * such as `010.1`, which are ambiguous.
 */
export function readAddress(text: string): Address | undefined {
	const bare = text.trim().replace(/^\[(.*)\]$/, '$1');
	if (!IPv4.isValidFourPartDecimal(bare) && !IPv6.isValid(bare)) return undefined;
	return asIpv4(parse(bare));
}

/** An IPv4 address inside an IPv6 one (`::ffff:203.0.113.7`) is that IPv4 address. */
export function asIpv4(address: Address): Address {
	return address instanceof IPv6 && address.isIPv4MappedAddress()
		? address.toIPv4Address()
		: address;
}
