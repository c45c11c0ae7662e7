import { isInTime } from '../../../nodes/CarrierLoadCommunications/calls/output/listedCall.ts';

it('a listed call can come from a request only if it was placed while that was under way, give or take 10 s', () => {
	const request = { from: 1_000_000, until: 1_200_000 };
	expect([990_000, 1_000_000, 1_200_000, 1_210_000].map((at) => isInTime(at, request))).toEqual(
		Array(4).fill(true),
	);
	expect([undefined, 989_999, 1_210_001, 1_800_000].map((at) => isInTime(at, request))).toEqual(
		Array(4).fill(false),
	);
});
