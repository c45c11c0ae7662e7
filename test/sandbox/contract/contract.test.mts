import * as z from 'zod';
import {
	agentCallResponseSchema,
	analyticsPageSchema,
	bidPageSchema,
	callPageSchema,
	carrierPageSchema,
	carrierSalesCallResponseSchema,
	checkCallResponseSchema,
	conversationPageSchema,
} from '../../../sandbox/contract.mts';
import * as asking from '../support/requests.mts';
import { sandboxPerTest } from '../support/sandbox-per-test.mts';

const { request, ALL_TIME } = asking;

/** The same schema, but without unknown fields. */
function closed(schema: z.ZodType): z.ZodType {
	if (schema instanceof z.ZodObject) {
		const fields = Object.entries<z.ZodType>(schema.shape).map(([key, field]) => [
			key,
			closed(field),
		]);
		return z.strictObject(Object.fromEntries(fields));
	}
	if (schema instanceof z.ZodArray) return z.array(closed(schema.element as z.ZodType));
	if (schema instanceof z.ZodNullable) return z.nullable(closed(schema.unwrap() as z.ZodType));
	return schema;
}

const start = sandboxPerTest();

const endpoints: { name: string; path: string; schema: z.ZodType; body?: unknown }[] = [
	{ name: 'listCalls', path: `/api/v1/calls?${ALL_TIME}&limit=500`, schema: callPageSchema },
	{ name: 'listBids', path: `/api/v1/bids?${ALL_TIME}&limit=500`, schema: bidPageSchema },
	{
		name: 'searchCarriers',
		path: '/api/v1/carriers?origin=Gary,IN&destination=Boise,ID&radius=900',
		schema: carrierPageSchema,
	},
	{
		name: 'getAnalytics',
		path: '/api/v1/analytics?startDate=2026-01-20&endDate=2026-02-03',
		schema: analyticsPageSchema,
	},
	{
		name: 'triggerCheckCall',
		path: asking.CHECK_CALL,
		schema: checkCallResponseSchema,
		body: asking.checkCall,
	},
	{
		name: 'triggerCarrierSalesCall',
		path: asking.SALES_CALL,
		schema: carrierSalesCallResponseSchema,
		body: asking.salesCall,
	},
	{
		name: 'createAgentCall',
		path: asking.AGENT_CALL,
		schema: agentCallResponseSchema,
		body: asking.agentCall,
	},
];

describe('the contract', () => {
	it.each(endpoints)('$name returns exactly the fields of the contract', async (endpoint) => {
		const sandbox = await start();
		const { status, json } = await request(sandbox, endpoint.path, { body: endpoint.body });
		const asked = sandbox.ledger.requests().map((request) => request.endpoint);
		expect([status, asked]).toEqual([200, [endpoint.name]]);
		expect(closed(endpoint.schema).safeParse(json).error?.issues).toBeUndefined();
		expect(Object.values(json as object).flat().length).toBeGreaterThan(1);
	});

	it('listConversations returns a call with every field of the contract except the email ones', async () => {
		const sandbox = await start();
		const { json } = await request(sandbox, `/api/v1/conversations?${ALL_TIME}&limit=500`);
		const { conversations } =
			asking.CONVERSATIONS.read(json) && (json as { conversations: object[] });
		const row = closed(conversationPageSchema.shape.conversations.element);
		const calls = conversations.filter((each) => 'type' in each && each.type === 'call');
		const emails = conversations.filter((each) => 'type' in each && each.type === 'email');
		expect([calls.length, emails.length]).toEqual([300, 37]);
		for (const call of calls) {
			const complete = { ...call, emailSubject: '', emailFrom: '' };
			expect(row.safeParse(complete).error?.issues).toBeUndefined();
		}
		const phoneless = {
			fromPhone: '',
			callerName: '',
			callerExt: '',
			callSummary: '',
			callContentTags: '',
		};
		for (const email of emails) {
			expect(row.safeParse({ ...email, ...phoneless }).error?.issues).toBeUndefined();
		}
	});
});
