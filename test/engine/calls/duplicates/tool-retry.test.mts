import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	showToolOptions,
	startNodeRunner,
	type NodeRunner,
} from '../../support/operations/node-runner.mts';

// A model that gets no clear response asks again, usually in other words.

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 20 });
	showToolOptions(runner);
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const fromAI = (key: string) => `={{ $fromAI('${key}', '', 'string') }}`;

/** A tool needs one. */
const limit = { maxCallsPerHour: 2000, skipIfCalledWithin: 0 };

const checkCall: INodeParameters = {
	...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 1 },
	...{ toPhone: fromAI('phone'), loadNumber: fromAI('load') },
	driverName: fromAI('driver'),
	rules: limit,
	options: { lookForLostAnswers: 0 },
};

const agentCall: INodeParameters = {
	...{ resource: 'call', operation: 'createAgentCall', agentId: 'tracking' },
	toPhone: fromAI('phone'),
	dynamicVariables: { entry: [{ key: 'question', value: fromAI('question') }] },
	rules: limit,
	options: { lookForLostAnswers: 0 },
};

/** What the credential lets workflows do. */
let calls: IDataObject = {};
afterEach(() => void (calls = {}));

/** The agent's model requests these calls one after another in one turn. */
async function ask(parameters: INodeParameters, ...requests: IDataObject[]) {
	const own = runner.credentials.carrierLoadCommunicationsApi;
	const credentials = { carrierLoadCommunicationsApi: { ...own, ...calls } };
	const run = await runner.engine.runTool(parameters, requests, { credentials });
	return JSON.parse(String(run.items[0]?.answer)) as string[];
}

/** @param looks how often the call list can't be read after that */
const lose = (when: 'before' | 'after', looks = 2) => {
	const { faults } = runner.sandbox;
	for (const endpoint of ['triggerCheckCall', 'createAgentCall'] as const) {
		faults.add({ endpoint, fault: { kind: 'reset', when } });
	}
	faults.add({ endpoint: 'listCalls', fault: { kind: 'status', status: 501 }, times: looks });
};

it('an agent that asks again in other words after a lost response rings once', async () => {
	lose('after');
	const [first, second] = await ask(
		checkCall,
		{ phone: '+13125550188', load: '48213', driver: 'Luis' },
		{ phone: '(312) 555-0188', load: ' 48213 ', driver: 'Luis Ortega' },
	);
	expect(first).toContain('The phone may have rung.');
	expect(second).toContain('The phone may have rung.');
	expect(runner.sandbox.ledger.dialed()).toHaveLength(1);
});

it('an agent that asks again once the call is listed gets that call', async () => {
	lose('after', 1);
	const request = { phone: '+13125550187', load: '48213', driver: 'Luis' };
	const [first, second] = await ask(checkCall, request, { ...request, driver: 'Luis Ortega' });
	expect(first).toContain('The phone may have rung.');
	expect(second).toContain('"placement":"reconciled"');
	expect(second).toContain(`"callId":${runner.sandbox.ledger.dialed()[0]?.callId}`);
	expect(runner.sandbox.ledger.dialed()).toHaveLength(1);
});

it('an agent that writes the load in another way, or leaves out the extension, rings once', async () => {
	const request = { phone: '+1 312 555 0186 x204', load: 'ab 48213', driver: 'Luis' };
	const [first, ...others] = await ask(
		checkCall,
		request,
		{ ...request, load: 'Load #AB 48213' },
		{ ...request, phone: '312-555-0186' },
	);
	expect(first).toContain('"placement":"placed"');
	for (const each of others) expect(each).toContain('"placement":"skippedDuplicate"');
	expect(runner.sandbox.ledger.dialed()).toHaveLength(1);
});

it('an agent that asks for two extensions of one number places both calls', async () => {
	const request = { load: '48213', driver: 'Luis' };
	const phones = ['312-555-0185 x204', '312-555-0185 x205', '312-555-0185 x204'];
	const asked = await ask(checkCall, ...phones.map((phone) => ({ ...request, phone })));
	expect(asked[2]).toContain('"placement":"skippedDuplicate"');
	expect(runner.sandbox.ledger.dialed().map(({ body }) => body.toPhone)).toEqual([
		'+13125550185;ext=204',
		'+13125550185;ext=205',
	]);
});

it('an agent that rewords its request after a lost response rings once', async () => {
	lose('after');
	const answers = await ask(
		agentCall,
		{ phone: '+13125550189', question: 'Where are you?' },
		{ phone: '+1 312 555 0189', question: 'What is your ETA?' },
		{ phone: '312-555-0189', question: 'When do you arrive?' },
	);
	for (const lost of answers.slice(0, 2)) expect(lost).toContain('The phone may have rung.');
	expect(answers[2]).toContain('"placement":"reconciled"');
	expect(runner.sandbox.ledger.dialed()).toHaveLength(1);
});

it('an agent that keeps asking for a call that cannot be found never sends it again', async () => {
	lose('before');
	const request = { phone: '+13125550190', load: '48214', driver: 'Ana' };
	const answers = await ask(checkCall, request, { ...request, driver: 'Ana Ruiz' }, request);
	for (const answer of answers) expect(answer).toContain('The phone may have rung.');
	expect(runner.sandbox.ledger.requests('triggerCheckCall')).toHaveLength(1);
});

it('an agent that asks about two loads of one driver places both calls', async () => {
	const request = { phone: '+13125550191', load: '48215', driver: 'Ana' };
	await ask(checkCall, request, { ...request, load: '48216' });
	expect(runner.sandbox.ledger.dialed()).toHaveLength(2);
});

it('an agent that asks about two carriers behind one dispatch phone gets a call for each', async () => {
	const salesCall = {
		...{ ...checkCall, operation: 'triggerCarrierSalesCall' },
		...{ loadId: fromAI('load'), dotNumber: fromAI('dot') },
	};
	const request = { phone: '+13125550195', load: '48218', driver: 'Ana' };
	const answers = await ask(salesCall, ...['77', '88', '77'].map((dot) => ({ ...request, dot })));
	const carriers = answers.map((answer) => /"dotNumber":"?(\d+)/.exec(answer)?.[1]);
	expect(carriers).toEqual(['77', '88', '77']);
	expect(answers[1]).toContain('"placement":"placed"');
	expect(answers[2]).toContain('"placement":"skippedDuplicate"');
	expect(runner.sandbox.ledger.dialed()).toHaveLength(2);
});

it('an agent that asks about another stop of the load gets the call, and the stop that it was about', async () => {
	const parameters = { ...checkCall, nextStopIndex: fromAI('stop') };
	const request = { phone: '+13125550196', load: '48219', driver: 'Ana' };
	const [, second] = await ask(parameters, { ...request, stop: '0' }, { ...request, stop: '1' });
	expect(second).toContain('already made this call in this turn. It was about stop 0.');
	expect(runner.sandbox.ledger.dialed()).toHaveLength(1);
});

describe('with a test number in the credential, an agent', () => {
	beforeEach(() => void (calls = { callMode: 'testNumber', testNumber: '(312) 555-0199' }));

	const request = { load: '48217', driver: 'Ana' };
	const calledFor = (answer = '') => [
		/"testCallFor":"([^"]*)"/.exec(answer)?.[1],
		/"placement":"([^"]*)"/.exec(answer)?.[1],
	];

	it('that asks about two people and one load gets a call for each', async () => {
		const phones = ['+13125550192', '+13125550193', '(312) 555-0192'];
		const answers = await ask(checkCall, ...phones.map((phone) => ({ ...request, phone })));
		expect(answers.map(calledFor)).toEqual([
			['+13125550192', 'placed'],
			['+13125550193', 'placed'],
			['+13125550192', 'skippedDuplicate'],
		]);
		expect(answers[2]).toContain(`"callId":${runner.sandbox.ledger.dialed()[0]?.callId}`);
		expect(runner.sandbox.ledger.dialed()).toHaveLength(2);
	});

	it('that leaves out an extension rings once, and for another extension again', async () => {
		const phones = ['312-555-0194 x204', '312-555-0194', '312-555-0194 x205'];
		const answers = await ask(checkCall, ...phones.map((phone) => ({ ...request, phone })));
		const placements = answers.map((answer) => calledFor(answer)[1]);
		expect(placements).toEqual(['placed', 'skippedDuplicate', 'placed']);
	});
});
