import { ExamplesN8n } from './examples/support/examples-n8n.mts';
import { testTmsIntake } from './examples/topics/tms-intake.mts';
import { TriggersEnvironment } from './triggers/support/triggers-environment.mts';
import { testAnswers } from './triggers/topics/answers.mts';
import { testManyEvents } from './triggers/topics/many-events.mts';
import { testNeighbors } from './triggers/topics/neighbors.mts';
import { testWorkflows } from './triggers/topics/workflows.mts';

// All that runs on an n8n that somebody else has started (see jest.config.mjs): what webhooks start. One after
// another, because they share it.
const triggers = new TriggersEnvironment();
const examples = new ExamplesN8n();
beforeAll(async () => {
	await triggers.open();
	await examples.open();
});
afterAll(async () => {
	await triggers.close();
	await examples.close();
});

describe('TMS intake', () => testTmsIntake(examples));
describe('what the trigger responds', () => testAnswers(triggers));
describe('the trigger with other nodes', () => testWorkflows(triggers));
describe('the trigger next to others', () => testNeighbors(triggers));
describe('the trigger under load', () => testManyEvents(triggers));
