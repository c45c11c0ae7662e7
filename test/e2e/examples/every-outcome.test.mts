import { ExamplesN8n } from './support/examples-n8n.mts';
import { testEveryOutcome } from './topics/every-outcome.mts';

const n8n = new ExamplesN8n();
beforeAll(async () => await n8n.open());
afterAll(async () => await n8n.close());

describe('every outcome', () => testEveryOutcome(n8n));
