import { refuseAddress } from '../../../nodes/CarrierLoadCommunicationsTrigger/verify/verifyRequest.ts';

const allows = (list: string, address: string) => refuseAddress(list, address) === undefined;

describe('an allowlist of IP addresses', () => {
	it.each([
		['203.0.113.7', '203.0.113.7', true],
		['203.0.113.7', '203.0.113.8', false],
		['203.0.113.7', '::ffff:203.0.113.7', true],
		['::ffff:203.0.113.7', '203.0.113.7', true],
		['198.51.100.0/24', '198.51.100.255', true],
		['198.51.100.0/24', '198.51.101.0', false],
		['198.51.100.77/24', '198.51.100.1', true],
		['0.0.0.0/0', '255.1.2.3', true],
		['0.0.0.0/0', '2001:db8::1', false],
		['::/0', '203.0.113.7', false],
		['::ffff:0:0/64', '203.0.113.7', false],
		['2001:db8::/32', '2001:db8:ffff::1', true],
		['2001:db8::/32', '2001:db9::1', false],
		['2001:db8::1', '2001:0DB8:0:0:0:0:0:1', true],
		['fe80::1', 'fe80::1%eth0', true],
		['203.0.113.7', '203.0.113.7:51234', true],
		['203.0.113.7', '203.0.113.8:51234', false],
		['2001:db8::1', '[2001:db8::1]:51234', true],
		['2001:db8::1', '2001:db8::1:51234', false],
		['10.0.0.1, 10.0.0.2 10.0.0.3', '10.0.0.3', true],
		['nonsense', '10.0.0.3', false],
		['10.0.0.0/33', '10.0.0.0', false],
		['10.0.0.0/', '10.0.0.0', false],
		['10.0.0.1', '', false],
		['10.0.0.1', 'nonsense', false],
	])('"%s" and %s: %s', (list, address, expected) => {
		expect(allows(list, address)).toBe(expected);
	});

	it('lets anyone in if it is empty', () => {
		expect(allows('  , ', '10.0.0.1')).toBe(true);
	});

	it('names its invalid entries', () => {
		expect(refuseAddress('10.0.0.1, my-host, 10.0.0.0/40, 1.2.3.4/8/8', '10.0.0.2')).toMatch(
			/not IP addresses: my-host, 10\.0\.0\.0\/40, 1\.2\.3\.4\/8\/8$/,
		);
	});

	it.each(
		[
			...['1.2.3', '1.2.3.256', '01.2.3.4', '1.2.3.4.5', '0x1.2.3.4', '16909060', ':', ':::'],
			...['1::2::3', '1:2:3', '12345::', '1:2:3:4:5:6:7:8:9', 'g::', '[::1', '1.2.3/8'],
		].map((text) => [text]),
	)('does not accept "%s"', (text) => {
		expect(refuseAddress(text, '10.0.0.1')).toContain(`not IP addresses: ${text}`);
		expect(allows('0.0.0.0/0, ::/0', text)).toBe(false);
	});
});
