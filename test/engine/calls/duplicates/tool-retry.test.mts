import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startNodeRunner, type NodeRunner } from '../../support/operations/node-runner.mts';

// A model that gets no clear response asks again, usually in other words.

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 20 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const fromAI = (key: string) => `={{ $fromAI('${key}', '', 'string') }}`;

const checkCall: INodeParameters = {
	...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 1 },
	...{ toPhone: fromAI('phone'), loadNumber: fromAI('load') },
	additionalFields: { driverName: fromAI('driver') },
	skipIfCalledWithin: 0,
	options: { lookForLostAnswers: 0 },
};

const agentCall: INodeParameters = {
	...{ resource: 'call', operation: 'createAgentCall', agentId: 'tracking' },
	toPhone: fromAI('phone'),
	dynamicVariables: { entry: [{ key: 'question', value: fromAI('question') }] },
	skipIfCalledWithin: 0,
	options: { lookForLostAnswers: 0 },
};

/** The agent's model requests these calls one after another in one turn. */
async function ask(parameters: INodeParameters, ...requests: IDataObject[]) {
	const run = await runner.engine.runTool(parameters, requests, {
		credentials: runner.credentials,
	});
	return JSON.parse(String(run.items[0]?.answer)) as string[];
}

const lose = (when: 'before' | 'after') => {
	const { faults } = runner.sandbox;
	for (const endpoint of ['triggerCheckCall', 'createAgentCall'] as const) {
		faults.add({ endpoint, fault: { kind: 'reset', when } });
	}
	faults.add({ endpoint: 'listCalls', fault: { kind: 'status', status: 500 }, times: 2 });
};

it('an agent that asks again in other words after a lost response rings once', async () => {
	lose('after');
	const [first, second] = await ask(
		checkCall,
		{ phone: '+13125550188', load: '48213', driver: 'Luis' },
		{ phone: '(312) 555-0188', load: ' 48213 ', driver: 'Luis Ortega' },
	);
	expect(first).toContain('The phone may have rung.');
	expect(second).toMatch(/The phone may have rung|reconciled/);
	expect(runner.sandbox.ledger.dialed()).toHaveLength(1);
});

it('an agent that rewords its request after a lost response rings once', async () => {
	lose('after');
	const answers = await ask(
		agentCall,
		{ phone: '+13125550189', question: 'Where are you?' },
		{ phone: '+1 312 555 0189', question: 'What is your ETA?' },
		{ phone: '312-555-0189', question: 'When do you arrive?' },
	);
	expect(answers[0]).toContain('The phone may have rung.');
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
