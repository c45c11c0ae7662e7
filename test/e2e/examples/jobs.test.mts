import { ExamplesN8n } from './support/examples-n8n.mts';
import { testCheckCallsFromAFile } from './topics/check-calls-from-a-file.mts';

// They share one n8n, one after another.
const n8n = new ExamplesN8n();
beforeAll(async () => await n8n.open());
afterAll(async () => await n8n.close());

describe('check calls from a file', () => testCheckCallsFromAFile(n8n));
