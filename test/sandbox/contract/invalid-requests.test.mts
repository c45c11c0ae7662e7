import {
	AGENT_CALL,
	request,
	CHECK_CALL,
	checkCall,
	ALL_TIME,
	SALES_CALL,
	salesCall,
} from '../support/requests.mts';
import { sandboxPerTest } from '../support/sandbox-per-test.mts';

const start = sandboxPerTest();

const queries: [string, string][] = [
	['startTime', '/api/v1/calls?endTime=2026-02-01'],
	['endTime', '/api/v1/bids?startTime=2026-02-01'],
	['startTime', '/api/v1/conversations?startTime=yesterday&endTime=2026-02-01'],
	['startTime', '/api/v1/calls?startTime=2026-02-01&startTime=2026-02-02&endTime=2026-02-03'],
	['limit', `/api/v1/calls?${ALL_TIME}&limit=0`],
	['limit', `/api/v1/calls?${ALL_TIME}&limit=501`],
	['limit', `/api/v1/calls?${ALL_TIME}&limit=ten`],
	['limit', `/api/v1/calls?${ALL_TIME}&limit=1.5`],
	['limit', `/api/v1/calls?${ALL_TIME}&limit=`],
	['offset', `/api/v1/bids?${ALL_TIME}&offset=-1`],
	['loadId', `/api/v1/calls?${ALL_TIME}&loadId=`],
	['origin', `/api/v1/calls?${ALL_TIME}&origin=Joliet`],
	['destination', '/api/v1/carriers?origin=Joliet,IL'],
	['origin', '/api/v1/carriers?origin=Joliet&destination=Gary,IN'],
	['radius', '/api/v1/carriers?origin=Joliet,IL&destination=Gary,IN&radius=-1'],
	['metric', '/api/v1/analytics?startDate=2026-02-01&endDate=2026-02-02&metric=calls'],
	['endDate', '/api/v1/analytics?startDate=2026-02-01&endDate=2026-02-30'],
	['file', '/recordings/one.mp3'],
];

const bodies: [string, string, unknown][] = [
	['toPhone', CHECK_CALL, { ...checkCall, toPhone: '(815) 555-0142' }],
	['toPhone', CHECK_CALL, { ...checkCall, toPhone: '+18155550142;ext=' }],
	['nextStopIndex', CHECK_CALL, { ...checkCall, nextStopIndex: -1 }],
	['nextStopIndex', CHECK_CALL, { ...checkCall, nextStopIndex: 1.5 }],
	['nextStopIndex', CHECK_CALL, { ...checkCall, nextStopIndex: '1' }],
	['loadNumber', CHECK_CALL, { toPhone: '+18155550142', nextStopIndex: 0 }],
	['contactType', CHECK_CALL, { ...checkCall, contactType: 'broker' }],
	['waitingAtFacility', CHECK_CALL, { ...checkCall, waitingAtFacility: 'yes' }],
	['askForTrackingApp', CHECK_CALL, { ...checkCall, askForTrackingApp: 'Big App' }],
	['metadata.late', CHECK_CALL, { ...checkCall, metadata: { late: true } }],
	['loadId', CHECK_CALL, { ...checkCall, loadId: 'L-77' }],
	['dotNumber', SALES_CALL, { ...salesCall, dotNumber: '2130932' }],
	['loadId', SALES_CALL, { ...salesCall, loadId: undefined }],
	['dynamicVariables', AGENT_CALL, { toPhone: '+12145550111', dynamicVariables: 'lane' }],
	['metadata', AGENT_CALL, { toPhone: '+12145550111', metadata: {} }],
	['body', SALES_CALL, []],
	['body', SALES_CALL, '{"toPhone":'],
];

describe('the sandbox rejects', () => {
	it.each(queries)('a wrong %s with a 400 that names it: %s', async (field, path) => {
		const { status, json } = await request(await start(), path);
		expect([status, json]).toEqual([
			400,
			expect.objectContaining({ field, message: expect.stringContaining(field) }),
		]);
	});

	it.each(bodies)(
		'a wrong %s with 400 that names it, and places no call: %s %j',
		async (field, path, body) => {
			const sandbox = await start();
			const { status, json } = await request(sandbox, path, { body });
			expect([status, json]).toEqual([400, expect.objectContaining({ field })]);
			expect(sandbox.ledger.dialed()).toEqual([]);
		},
	);

	it('every wrong field in one response', async () => {
		const { json } = await request(await start(), CHECK_CALL, {
			body: { toPhone: 5, nextStopIndex: -2 },
		});
		expect(json).toMatchObject({
			errors: [
				{ field: 'toPhone' },
				{ field: 'nextStopIndex' },
				{ field: 'loadNumber', message: 'is required' },
			],
		});
	});

	it.each([
		['no token', null, {}],
		['a wrong token', 'not-a-token', {}],
		['another scheme', null, { authorization: 'Basic sandbox-north-token' }],
	])('%s with a 401 before anything else is checked', async (_case, token, headers) => {
		const sandbox = await start();
		const { status, json } = await request(sandbox, CHECK_CALL, {
			token,
			headers,
			body: { toPhone: 5 },
		});
		expect([status, json]).toEqual([401, { message: expect.stringContaining('access token') }]);
		expect(sandbox.ledger.requests()).toMatchObject([{ organization: null, status: 401 }]);
	});

	it.each([
		['GET', '/api/v1/drivers'],
		['POST', '/api/v1/calls'],
		['GET', '/api//v1/calls'],
		['GET', '/recordings/5.wav'],
	])('%s %s with a 404', async (method, path) => {
		const { status, json } = await request(await start(), path, { method });
		expect([status, json]).toEqual([404, { message: expect.any(String) }]);
	});
});
