import type { IExecuteFunctions } from 'n8n-workflow';
import { nodeCredential } from '../../../nodes/shared/service/credential.ts';

describe("a node's credential", () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	/** A context whose credential has a new token each time that n8n reads it. */
	function rotating() {
		let read = 0;
		const getCredentials = async () => ({ accessToken: `token ${++read}` });
		return nodeCredential({ getCredentials } as unknown as IExecuteFunctions);
	}

	it('is read once for the requests of five seconds, and then again', async () => {
		const credential = rotating();
		expect(await credential()).toEqual({ accessToken: 'token 1' });
		jest.advanceTimersByTime(4_999);
		expect(await credential()).toEqual({ accessToken: 'token 1' });
		jest.advanceTimersByTime(1);
		expect(await credential()).toEqual({ accessToken: 'token 2' });
	});

	it('is read again after n8n could not read it', async () => {
		const getCredentials = jest.fn().mockRejectedValueOnce(new Error('The database is busy'));
		getCredentials.mockResolvedValue({ accessToken: 'token' });
		const credential = nodeCredential({ getCredentials } as unknown as IExecuteFunctions);
		await expect(credential()).rejects.toThrow('The database is busy');
		expect(await credential()).toEqual({ accessToken: 'token' });
	});
});
