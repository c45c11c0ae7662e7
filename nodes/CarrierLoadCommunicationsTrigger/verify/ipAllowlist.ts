import { asIpv4, readAddress, type Address } from '../../shared/ipAddress';
import { IPv4, IPv6, parseCIDR } from '../../shared/ipLibrary';

type Range = [address: Address, prefixLength: number];

export interface IpAllowlist {
	contains(address: string): boolean;
	/** Entries that are neither an IP address nor a range. */
	invalid: string[];
}

/**
 * Parses IP addresses and CIDR ranges, IPv4 and IPv6, separated by commas or spaces. Undefined if
 * the text is empty. An invalid entry lets no one in.
 */
export function readIpAllowlist(text: string): IpAllowlist | undefined {
	const entries = text.split(/[\s,;]+/).filter((entry) => entry !== '');
	if (entries.length === 0) return undefined;
	const ranges = entries.map(readRange);
	return {
		// n8n sees an IPv4 sender on an IPv6 socket as `::ffff:203.0.113.7`.
		contains(address) {
			const sender = readAddress(address);
			return (
				sender !== undefined &&
				ranges.some((range) => range?.[0].kind() === sender.kind() && sender.match(range))
			);
		},
		invalid: entries.filter((_, index) => ranges[index] === undefined),
	};
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
