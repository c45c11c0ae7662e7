import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drivers } from '../support/calls/dispatch.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

/** With four calls at a time, sixteen are noted together first. */
const options = { callsInParallel: 4, lookForLostAnswers: 0.1 };
const FIRST = 16;

describe('the notes of the first calls', () => {
	it('are written while the other items are checked, and removed if one of those is invalid', async () => {
		const good = drivers(FIRST + 1);
		const notes = jest.spyOn(dispatch.processedData, 'checkProcessedAndRecord');
		const { error } = await dispatch.run(
			{ options },
			{ items: [...good, { phone: 'none', load: 'L' }] },
		);
		const written = notes.mock.calls.map(([entries]) => entries.length);
		notes.mockRestore();
		expect(error?.message).toMatch(/^No phone rang\. To Phone/);
		expect(written).toContain(FIRST);
		expect(JSON.parse(dispatch.noted())).toEqual([[expect.any(String), []]]);
		// Nothing of it is taken for a call that may have been placed.
		expect((await dispatch.run({ options }, { items: good })).items).toHaveLength(good.length);
		expect(dispatch.dialed()).toHaveLength(good.length);
	});

	it('are not written ahead for calls that other executions would wait for', async () => {
		const items = [...drivers(FIRST + 1), { phone: 'none', load: 'L' }];
		const { error } = await dispatch.run({ options, skipIfCalledWithin: 10 }, { items });
		expect(dispatch.noted()).toBe('[]');
		expect(error?.message).toMatch(/^No phone rang\./);
	});

	it('are found when the execution is started again after a crash, and no phone rings twice', async () => {
		const items = drivers(FIRST);
		const execution = await dispatch.execution({ options }, { items });
		expect((await execution.start()).items).toHaveLength(FIRST);
		dispatch.restartProcess();
		await execution.start();
		expect(dispatch.dialed()).toHaveLength(FIRST);
	});
});

it('a call whose response takes long does not hold up the calls of later batches', async () => {
	const items = drivers(FIRST + 8);
	let requested = 0;
	let answerFirst = () => {};
	const service = createServer((request, response) => {
		const nth = ++requested;
		const call = { id: nth, status: 'IN_PROGRESS' };
		const answer = () => void response.end(JSON.stringify({ success: true, call }));
		if (nth === 1) answerFirst = answer;
		else answer();
		// The first response comes when all other calls were requested.
		if (nth === items.length) answerFirst();
		request.resume();
	});
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
	const { port } = service.address() as AddressInfo;
	const [name, baseUrl] = ['carrierLoadCommunicationsApi', `http://127.0.0.1:${port}`];
	const credentials = { [name]: { baseUrl, accessToken: 'token-of-a-broker' } };
	const { items: placed } = await dispatch.run({ options }, { items, credentials });
	service.close();
	service.closeAllConnections();
	expect(placed).toHaveLength(items.length);
	expect(requested).toBe(items.length);
});
