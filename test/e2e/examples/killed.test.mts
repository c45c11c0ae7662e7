import { ExamplesN8n } from './support/examples-n8n.mts';
import { testDetentionClock } from './topics/detention-clock.mts';
import { testNoAnswerLadder } from './topics/no-answer-ladder.mts';

// They share one n8n, and each kills it once.
const n8n = new ExamplesN8n();
beforeAll(async () => await n8n.open());
afterAll(async () => await n8n.close());

describe('the detention clock', () => testDetentionClock(n8n));
describe('the no-answer ladder', () => testNoAnswerLadder(n8n));
