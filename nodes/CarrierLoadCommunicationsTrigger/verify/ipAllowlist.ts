/** A range of addresses; IPv4 lies at ::ffff:0:0/96 among the 128 bits of IPv6. */
interface AddressRange {
	first: bigint;
	/** How many of the 128 bits are fixed. */
	bits: number;
}

const BITS = 128;
const IPV4_START = 0xffff_0000_0000n;

export interface AddressList {
	contains(address: string): boolean;
	/** Entries that are no address and no range. */
	unreadable: string[];
}

/**
 * A list of IP addresses and CIDR ranges, IPv4 and IPv6, separated by commas or spaces. Undefined
 * when the text names none. An entry that cannot be read lets nobody in.
 */
export function readAddressList(text: string): AddressList | undefined {
	const entries = text.split(/[\s,;]+/).filter((entry) => entry !== '');
	if (entries.length === 0) return undefined;
	const ranges = entries.map(readRange);
	return {
		contains(address) {
			const asked = readAddress(address);
			return asked !== undefined && ranges.some((range) => range && isWithin(asked, range));
		},
		unreadable: entries.filter((_, index) => ranges[index] === undefined),
	};
}

function isWithin(address: bigint, { first, bits }: AddressRange): boolean {
	const free = BigInt(BITS - bits);
	return address >> free === first >> free;
}

function readRange(entry: string): AddressRange | undefined {
	const [host = '', length, ...more] = entry.split('/');
	const first = readAddress(host);
	if (first === undefined || more.length > 0) return undefined;
	if (length === undefined) return { first, bits: BITS };
	const longest = host.includes(':') ? BITS : 32;
	const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
	return bits <= longest ? { first, bits: BITS - longest + bits } : undefined;
}

/** An address as a number of 128 bits; undefined when the text is none. */
export function readAddress(text: string): bigint | undefined {
	const bare = text
		.trim()
		.replace(/^\[(.*)\]$/, '$1')
		.replace(/%.*$/, '');
	return bare.includes(':') ? readIpv6(bare) : readIpv4(bare, IPV4_START);
}

function readIpv4(text: string, start: bigint): bigint | undefined {
	const parts = text.split('.');
	if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part)))
		return undefined;
	const numbers = parts.map(Number);
	if (numbers.some((number) => number > 255)) return undefined;
	return start + numbers.reduce((sum, number) => sum * 256n + BigInt(number), 0n);
}

function readIpv6(text: string): bigint | undefined {
	const halves = text.split('::');
	if (halves.length > 2) return undefined;
	const [head, tail] = halves.map(readGroups);
	if (!head || (halves.length === 2 && !tail)) return undefined;
	const missing = 8 - head.length - (tail?.length ?? 0);
	if (tail ? missing < 1 : missing !== 0) return undefined;
	const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...(tail ?? [])];
	return groups.reduce((sum, group) => sum * 0x10000n + group, 0n);
}

/** Groups of 16 bits; the last two may be written as an IPv4 address. */
function readGroups(text: string): bigint[] | undefined {
	if (text === '') return [];
	const groups: bigint[] = [];
	const parts = text.split(':');
	for (const [index, part] of parts.entries()) {
		if (/^[\da-f]{1,4}$/i.test(part)) {
			groups.push(BigInt(`0x${part}`));
			continue;
		}
		const embedded = index === parts.length - 1 ? readIpv4(part, 0n) : undefined;
		if (embedded === undefined) return undefined;
		groups.push(embedded >> 16n, embedded & 0xffffn);
	}
	return groups;
}
