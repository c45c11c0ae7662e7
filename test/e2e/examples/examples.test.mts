import { ExamplesN8n } from './support/examples-n8n.mts';
import { testDailyCalls } from './topics/daily-calls.mts';
import { testEveryDay } from './topics/every-day.mts';
import { testReports } from './topics/reports.mts';
import { testTmsExports } from './topics/tms-exports.mts';
import { testTmsIntake } from './topics/tms-intake.mts';

// They share one n8n. Each topic has its own sandbox, and data tables as they are after the import.
const n8n = new ExamplesN8n(true);
beforeAll(async () => await n8n.open());
afterAll(async () => await n8n.close());

describe('TMS intake', () => testTmsIntake(n8n));
describe('TMS exports', () => testTmsExports(n8n));
describe('daily calls', () => testDailyCalls(n8n));
describe('reports', () => testReports(n8n));
describe('every day', () => testEveryDay(n8n));
