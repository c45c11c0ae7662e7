/** Private IPv4 networks (RFC 6890), as first address and prefix length. */
const PRIVATE_NETWORKS: Array<[string, number]> = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
];

/** Unspecified, loopback, unique local (fc00::/7) and link-local (fe80::/10) IPv6 addresses. */
const PRIVATE_IPV6 = /^\[(::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/;

/** An IPv4 address inside an IPv6 one, as `URL` writes it: [::ffff:7f00:1]. */
const MAPPED_IPV4 = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/**
 * Whether a host name or address means this machine or a private network. (n8n's own SSRF
 * protection, if enabled, also checks what a name resolves to.)
 *
 * @param hostname from `URL`: IPv4 in dotted decimal, IPv6 in brackets
 */
export function isPrivateHost(hostname: string): boolean {
	if (/(^|\.)(localhost|local|internal)\.?$/.test(hostname)) return true;
	if (PRIVATE_IPV6.test(hostname)) return true;
	const [, high, low] = MAPPED_IPV4.exec(hostname) ?? [];
	const address =
		high !== undefined && low !== undefined
			? Number.parseInt(high, 16) * 2 ** 16 + Number.parseInt(low, 16)
			: numberOf(hostname);
	return PRIVATE_NETWORKS.some(([first, length]) => {
		const size = 2 ** (32 - length);
		return Math.floor(address / size) === Math.floor(numberOf(first) / size);
	});
}

/** An IPv4 address as a number; NaN for anything else. */
function numberOf(hostname: string): number {
	if (!/^\d+(\.\d+){3}$/.test(hostname)) return Number.NaN;
	return hostname.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}
