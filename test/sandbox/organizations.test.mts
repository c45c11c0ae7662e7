import {
	request,
	AGENT_CALL,
	agentCall,
	BIDS,
	CALLS,
	CONVERSATIONS,
	ALL_TIME,
	walk,
} from './support/requests.mts';
import { sandboxPerTest } from './support/sandbox-per-test.mts';

const start = sandboxPerTest();

describe('the two organizations of the sandbox', () => {
	it("never see each other's records", async () => {
		const sandbox = await start();
		const { north, south } = sandbox.tokens;
		for (const list of [CALLS, CONVERSATIONS]) {
			const ours = await walk(sandbox, list as typeof CALLS, { token: north });
			const theirs = await walk(sandbox, list as typeof CALLS, { token: south });
			const seen = new Set(ours.rows.map(({ id }) => id));
			expect(theirs.rows.filter(({ id }) => seen.has(id))).toEqual([]);
			const carriers = new Set(ours.rows.map(({ mcNumber }) => mcNumber));
			expect(theirs.rows.filter(({ mcNumber }) => carriers.has(mcNumber))).toEqual([]);
		}
	});

	it("find nothing by the other's load or MC numbers", async () => {
		const sandbox = await start();
		const token = sandbox.tokens.south;
		const [call] = (await walk(sandbox, CALLS)).rows.filter(({ loadIds }) => loadIds?.length);
		for (const filter of [`loadId=${call?.loadIds?.[0]}`, `mcNumber=${call?.mcNumber}`]) {
			for (const list of [CALLS, CONVERSATIONS, BIDS]) {
				const found = await walk(sandbox, list as typeof CALLS, {
					filter: `${ALL_TIME}&${filter}`,
					token,
				});
				expect(found.totals).toEqual([0]);
			}
		}
	});

	it('each list only the calls they placed themselves', async () => {
		const sandbox = await start();
		const { south } = sandbox.tokens;
		await request(sandbox, AGENT_CALL, { body: agentCall, token: south });
		expect((await walk(sandbox, CALLS)).totals).toEqual([300]);
		expect((await walk(sandbox, CALLS, { token: south })).totals).toEqual([301]);
		expect(sandbox.ledger.dialed()).toMatchObject([{ organization: 'south', agentId: 'agent-7' }]);
	});
});
