import { ExamplesN8n } from './support/examples-n8n.mts';
import { testErrorWorkflow, testMcpServer } from './topics/errors-and-mcp.mts';

// They share one n8n, one after another.
const n8n = new ExamplesN8n();
beforeAll(async () => await n8n.open());
afterAll(async () => await n8n.close());

describe('the error workflow', () => testErrorWorkflow(n8n));
describe('the read-only MCP server', () => testMcpServer(n8n));
