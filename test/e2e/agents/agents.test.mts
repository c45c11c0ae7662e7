import { type AgentEnvironment, startAgentEnvironment } from './support/agent-environment.mts';
import { testAssistant } from './topics/assistant.mts';
import { testCalls } from './topics/calls.mts';
import { testRules } from './topics/rules.mts';
import { testTools } from './topics/tools.mts';

// They share one n8n: each test has a workflow of its own.
let environment: AgentEnvironment;
beforeAll(async () => {
	environment = await startAgentEnvironment();
});
afterAll(() => environment?.close());
const given = () => environment;

describe('the tools of an agent', () => {
	beforeEach(() => {
		environment.sandbox.faults.clear();
		environment.sandbox.ledger.clear();
	});

	describe('all of them', () => testTools(given));
	describe('those that place calls', () => testCalls(given));
	describe('those that place calls, under rules', () => testRules(given));
});
describe('the example of an agent', () => testAssistant(given));
