import { ExamplesN8n } from './support/examples-n8n.mts';
import { testCheckCallsFromAFile } from './topics/check-calls-from-a-file.mts';
import { testManualCallDesk, testOptOuts, testOutcomeToTms } from './topics/desk.mts';
import { testHousekeeping } from './topics/housekeeping.mts';

// They share one n8n, one after another.
const n8n = new ExamplesN8n();
beforeAll(async () => await n8n.open());
afterAll(async () => await n8n.close());

describe('check calls from a file', () => testCheckCallsFromAFile(n8n));
describe('opt-outs', () => testOptOuts(n8n));
describe('the manual-call desk', () => testManualCallDesk(n8n));
describe('outcomes to the TMS', () => testOutcomeToTms(n8n));
describe('housekeeping', () => testHousekeeping(n8n));
