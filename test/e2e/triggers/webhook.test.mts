import { TriggersEnvironment } from './support/triggers-environment.mts';
import { testAnswers } from './topics/answers.mts';
import { testManyEvents } from './topics/many-events.mts';
import { testNeighbors } from './topics/neighbors.mts';
import { testRestarted } from './topics/restarted.mts';
import { testWorkflows } from './topics/workflows.mts';

// They share one n8n: each test has a workflow of its own.
const environment = new TriggersEnvironment();
beforeAll(async () => await environment.open());
afterAll(async () => await environment.close());

describe('what the trigger responds', () => testAnswers(environment));
describe('the trigger with other nodes', () => testWorkflows(environment));
describe('the trigger next to others', () => testNeighbors(environment));
describe('the trigger under load', () => testManyEvents(environment));
describe('the trigger at a restart', () => testRestarted(environment));
