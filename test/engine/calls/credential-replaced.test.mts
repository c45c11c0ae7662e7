import type { RequestListener } from 'node:http';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { drivers } from '../support/calls/dispatch.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';
import { withServer } from '../support/service/answering-server.mts';

const dispatch = useDispatch();
const type = 'carrierLoadCommunicationsApi';
const [OLD, NEW] = ['old-token-1234567890', 'new-token-0987654321'];

afterEach(() => void jest.restoreAllMocks());

/** Two calls, one after the other, and what the service receives; `change` happens in between. */
async function runWith(change: (data: ICredentialDataDecryptedObject) => unknown) {
	const tokens: unknown[] = [];
	const answer: RequestListener = (request, response) => {
		request.resume();
		tokens.push(request.headers.authorization);
		const call = { id: 5012, status: 'IN_PROGRESS' };
		if (tokens.length > 1) {
			response.statusCode = 422;
			response.end(JSON.stringify({ message: `Wrong: ${request.headers.authorization}` }));
			return;
		}
		void between().then(() => response.end(JSON.stringify({ success: true, call })));
	};
	let between = async () => {};
	return await withServer(answer, async (baseUrl) => {
		const data = { baseUrl, accessToken: OLD };
		between = async () => {
			await change(data);
			// The credential is read again after ten seconds.
			const now = Date.now.bind(Date);
			jest.spyOn(Date, 'now').mockImplementation(() => now() + 11_000);
		};
		const { items, output } = await dispatch.run(
			{ options: { callsInParallel: 1, lookForLostAnswers: 0.3 } },
			{
				...{ items: drivers(2), credentials: { [type]: data } },
				node: { onError: 'continueErrorOutput' },
			},
		);
		expect(items).toEqual([expect.objectContaining({ placement: 'placed' })]);
		return { tokens, error: output(1)[0]?.json };
	});
}

/** Stores another base URL or token in the node's credential. */
async function replace(data: ICredentialDataDecryptedObject, by: ICredentialDataDecryptedObject) {
	const { [type]: stored } = await dispatch.engine.credentials.save({ [type]: data });
	if (!stored) throw new Error('The credential is missing');
	await dispatch.engine.credentials.updateCredentials(stored, type, { ...data, ...by });
}

describe('a credential that is changed while the node places calls', () => {
	it('does not show its new token either when the service repeats it', async () => {
		const { tokens, error } = await runWith(
			async (data) => await replace(data, { accessToken: NEW }),
		);
		expect(tokens).toEqual([`Bearer ${OLD}`, `Bearer ${NEW}`]);
		expect(error?.message).toContain('[hidden]');
		expect(JSON.stringify(error)).not.toContain(NEW);
	});

	it('never sends the token of another service to the old one', async () => {
		const { tokens, error } = await runWith(
			async (data) =>
				await replace(data, { baseUrl: 'https://calls.example.com', accessToken: NEW }),
		);
		expect(tokens).toEqual([`Bearer ${OLD}`]);
		expect(error?.error).toMatch(/^No phone rang\. .*the base URL .* was changed/);
	});

	it('does not let a call count as one that may have rung if n8n cannot read it anymore', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const { tokens, error } = await runWith(() => {
			const { credentials } = dispatch.engine;
			jest.spyOn(credentials, 'getDecrypted').mockRejectedValue(new Error('No such credential'));
		});
		expect(tokens).toEqual([`Bearer ${OLD}`]);
		expect(error?.error).toMatch(/^No phone rang\. .*could not read the credential/);
	});
});
