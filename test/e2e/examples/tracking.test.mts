import { ExamplesN8n } from './support/examples-n8n.mts';
import { testCallOnlyWhenNeeded } from './topics/call-only-when-needed.mts';

const n8n = new ExamplesN8n();
beforeAll(async () => await n8n.open());
afterAll(async () => await n8n.close());

describe('call only when needed', () => testCallOnlyWhenNeeded(n8n));
