import type { RequestListener } from 'node:http';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { drivers } from '../support/calls/dispatch.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';
import { sendEvent } from '../support/calls/waiting.mts';
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
			{ options: { callsInParallel: 1, lookForLostAnswers: 0.1 } },
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

	it('places no further call once its Calls setting is Paused', async () => {
		const { tokens, error } = await runWith(
			async (data) => await replace(data, { callMode: 'paused' }),
		);
		expect(tokens).toEqual([`Bearer ${OLD}`]);
		expect(error?.error).toMatch(
			/^No phone rang\. The check call to .* was not placed: the credential's Calls setting is Paused$/,
		);
		expect(error?.message).toMatch('set it to Live in the credential');
	});

	it.each([
		['Test Number', { callMode: 'testNumber', testNumber: '(312) 555-0199' }],
		['Dry Run', { callMode: 'dryRun' }],
	])('places no further call once its Calls setting is %s', async (label, setting) => {
		const { tokens, error } = await runWith(async (data) => await replace(data, setting));
		expect(tokens).toEqual([`Bearer ${OLD}`]);
		expect(error?.error).toMatch(/^No phone rang\. The check call to .* was not placed/);
		expect(error?.error).toMatch(`the credential's Calls setting is now ${label}`);
		expect(error?.message).toMatch('It was changed while the node was running.');
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

/** A service whose next call has this ID, and which lists another call under it. */
const withOther =
	(id: unknown): RequestListener =>
	(request, response) => {
		request.resume();
		const call = { id, status: 'IN_PROGRESS', createdAt: new Date().toISOString() };
		const listed = { ...call, toPhone: '+17135559999', loadIds: ['L9'], summary: 'Other.' };
		const pagination = { limit: 500, offset: 0, total: 1 };
		const placed = { success: true, call };
		const answer = request.method === 'POST' ? placed : { calls: [listed], pagination };
		response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
	};

describe('a call that was placed before the base URL was edited', () => {
	it('does not get the outcome of a call that has the same ID at the other service', async () => {
		const items = drivers(1);
		const guarded = { rules: { skipIfCalledWithin: 10 } };
		const wait = { waitForOutcome: 'polling', waitLimit: 0.003, pollInterval: 0.05 };
		await withServer(withOther(5012), async (first) => {
			const data = { baseUrl: first, accessToken: OLD };
			const placed = await dispatch.run(guarded, { items, credentials: { [type]: data } });
			expect(placed.items).toEqual([expect.objectContaining({ placement: 'placed' })]);
			await withServer(withOther(5012), async (baseUrl) => {
				await replace(data, { baseUrl });
				const credentials = { [type]: { ...data, baseUrl } };
				const [again] = (await dispatch.run({ ...guarded, ...wait }, { items, credentials })).items;
				expect(again).toMatchObject({ placement: 'skippedDuplicate', timedOut: true });
				expect(again).not.toHaveProperty('summary');
			});
		});
	});

	it('is still waited for when an unclear event comes and the other service lists a call with its ID', async () => {
		const run = await dispatch.run({ waitForOutcome: 'webhook', waitLimit: 60 });
		expect(run.status).toBe('waiting');
		const callId = dispatch.sandbox.ledger.dialed().at(-1)?.callId;
		expect(callId).toBeDefined();
		await withServer(withOther(callId), async (baseUrl) => {
			await replace(dispatch.credentials[type] as ICredentialDataDecryptedObject, { baseUrl });
			const unclear = { event: 'call.filed', callId, status: 'FILED' };
			const { answer, run: resumed } = await sendEvent(dispatch, run, unclear);
			expect(answer.status).toBe(409);
			expect(resumed).toBeUndefined();
		});
	});
});
