import { readTransportError } from '../../../nodes/shared/service/failure.ts';

const request = { method: 'POST', path: '/api/v1/calls', about: 'load 48213' } as const;
const connection = { baseUrl: 'https://calls.example.com', timeoutMs: 30_000 };

/** What n8n 2.0 throws: the socket's error is lost, but for its code. */
const thrownBy20 = (httpCode: string | null) =>
	readTransportError(
		Object.assign(new Error('…'), { cause: undefined, httpCode }),
		request,
		connection,
	);

describe("n8n 2.0's error without a cause", () => {
	it.each(['ECONNREFUSED', 'ENOTFOUND', 'DEPTH_ZERO_SELF_SIGNED_CERT'])(
		'%s still means that no phone rang',
		(code) => {
			expect(thrownBy20(code).nothingHappened).toBe(true);
			expect(thrownBy20(code).details.code).toBe(code);
		},
	);

	it('still says that the user pressed Stop', () => {
		expect(thrownBy20('ERR_CANCELED').details.kind).toBe('cancelled');
	});

	it.each(['ECONNRESET', 'EPROTO', '503', '401', null])(
		'%s leaves it open whether a phone rang',
		(code) => {
			expect(thrownBy20(code).nothingHappened).toBe(false);
			expect(thrownBy20(code).details.kind).toBe('interrupted');
		},
	);

	it('gives no status as a code', () => {
		expect(thrownBy20('503').details.code).toBeUndefined();
	});
});
