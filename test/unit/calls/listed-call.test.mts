import { isInTime } from '../../../nodes/CarrierLoadCommunications/calls/listedCall.ts';
import { matchNumber } from '../../../nodes/CarrierLoadCommunications/calls/phone.ts';

it.each([
	['+13125550188;ext=7', '+1 312 555 0188 ext. 7', 'same'],
	['+13125550188;ext=7', '+1 312 555 0188 ext. 8', 'other'],
	['+13125550188;ext=7', '+13125550188', 'same'],
	['+13125550188', '+1 312 555 0188 ext. 8', 'same'],
])('a call to %s that is listed with %s is the %s one', (called, listed, match) => {
	expect(matchNumber(called, listed)).toBe(match);
});

it('a listed call can come from a request only if it was placed while that was under way, give or take 10 s', () => {
	const request = { from: 1_000_000, until: 1_200_000 };
	expect([990_000, 1_000_000, 1_200_000, 1_210_000].map((at) => isInTime(at, request))).toEqual(
		Array(4).fill(true),
	);
	expect([undefined, 989_999, 1_210_001, 1_800_000].map((at) => isInTime(at, request))).toEqual(
		Array(4).fill(false),
	);
});
