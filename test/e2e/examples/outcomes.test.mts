import {
	type DestinationsEnvironment,
	startDestinations,
} from './support/destinations/environment.mts';
import { services, testDestinations } from './topics/destinations.mts';
import { testTranscripts } from './topics/transcripts.mts';

// They share one n8n: each has workflows of its own.
let environment: DestinationsEnvironment;
beforeAll(async () => {
	environment = await startDestinations(services);
});
afterAll(async () => await environment?.close());
const given = () => environment;

describe('the transcripts of calls', () => testTranscripts(given));
describe('the destinations of outcomes', () => testDestinations(given));
