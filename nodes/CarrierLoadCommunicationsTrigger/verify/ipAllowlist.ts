import { asIpv4, readAddress, type Address } from '../../shared/ipAddress';
import { IPv4, IPv6, parseCIDR } from '../../shared/ipLibrary';

type Range = [address: Address, prefixLength: number];

/**
 * Why a sender's IP address is refused; undefined if it is allowed.
 *
 * @param allowed IP addresses and CIDR ranges, IPv4 and IPv6, separated by commas or spaces; empty
 * for any sender. An invalid entry lets no one in.
 */
export function refuseAddress(allowed: string, address: string): string | undefined {
	const entries = allowed.split(/[\s,;]+/).filter((entry) => entry !== '');
	if (entries.length === 0) return undefined;
	const ranges = entries.map(readRange);
	// n8n sees an IPv4 sender on an IPv6 socket as `::ffff:203.0.113.7`.
	const sender = readAddress(withoutPort(address));
	const isIn = (range: Range | undefined) =>
		range && sender?.kind() === range[0].kind() && sender.match(range);
	if (ranges.some(isIn)) return undefined;
	const invalid = entries.filter((_, index) => ranges[index] === undefined).join(', ');
	const mistake = invalid === '' ? '' : `; these entries are not IP addresses: ${invalid}`;
	return `its IP address ${address} is not on the allowlist${mistake}`;
}

/** Some proxies send the port along in X-Forwarded-For: `203.0.113.7:51234`, `[2001:db8::1]:51234`. */
function withoutPort(address: string): string {
	return address.replace(/^(\d+(?:\.\d+){3}|\[.*\]):\d+$/, '$1');
}

function readRange(entry: string): Range | undefined {
	const single = readAddress(entry);
	if (single) return [single, single instanceof IPv4 ? 32 : 128];
	if (!IPv4.isValidCIDRFourPartDecimal(entry) && !IPv6.isValidCIDR(entry)) return undefined;
	const [address, prefixLength] = parseCIDR(entry);
	const short = asIpv4(address);
	if (short === address) return [address, prefixLength];
	return prefixLength >= 96 ? [short, prefixLength - 96] : undefined;
}
