import { ExamplesN8n } from './support/examples-n8n.mts';
import { testAppointmentConfirmation } from './topics/appointment-confirmation.mts';
import { testLateLoads } from './topics/late-loads.mts';

// They share one n8n, one after another.
const n8n = new ExamplesN8n();
beforeAll(async () => await n8n.open());
afterAll(async () => await n8n.close());

describe('late loads', () => testLateLoads(n8n));
describe('the confirmation of appointments', () => testAppointmentConfirmation(n8n));
