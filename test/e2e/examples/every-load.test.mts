import { ExamplesN8n } from './support/examples-n8n.mts';
import { testEveryLoad } from './topics/every-load.mts';

const n8n = new ExamplesN8n();
beforeAll(async () => await n8n.open());
afterAll(async () => await n8n.close());

describe('every load', () => testEveryLoad(n8n));
