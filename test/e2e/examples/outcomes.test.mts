import {
	type DestinationsEnvironment,
	startDestinations,
} from './support/destinations/environment.mts';
import { services, testDestinations } from './topics/destinations.mts';

let environment: DestinationsEnvironment;
beforeAll(async () => {
	environment = await startDestinations(services);
});
afterAll(async () => await environment?.close());
const given = () => environment;

describe('the destinations of outcomes', () => testDestinations(given));
