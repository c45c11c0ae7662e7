import { SharedRestart } from './support/shared-restart.mts';
import { TriggersEnvironment } from './support/triggers-environment.mts';
import { testPolledSandbox } from './topics/polled-sandbox.mts';
import { testPollingWorkflows } from './topics/polling-workflows.mts';

// They share one n8n, its polls and its restart: each test has workflows and a service of its own.
const environment = new TriggersEnvironment();
const restart = new SharedRestart(async () => await environment.restart());
beforeAll(async () => await environment.open());
afterAll(async () => await environment.close());

describe('the polling trigger', () => {
	testPolledSandbox(environment, restart);
	testPollingWorkflows(environment, restart);
});
