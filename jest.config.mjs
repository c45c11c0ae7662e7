import { availableParallelism } from 'node:os';

// Tests are .mts files (see tsconfig.dev.json) and become CommonJS on the way into Jest, as n8n-core is.
// These start n8n and other programs, and n8n looks once a minute for what is due.
const SLOW = ['e2e', 'queue', 'property', 'playground', 'versions', 'rehearsal'];

// On an n8n that someone else has started (playground/n8n/choice.mts) runs what webhooks start. The rest stops
// n8n, runs workflows by hand, or looks into its files, and says so.
const isGivenN8n = !['', 'docker'].includes(process.env.CARRIER_N8N ?? '');
const OWN_N8N_ONLY = 'support/own-n8n-only.mts';
const ON_A_GIVEN_N8N = {
	e2e: 'e2e/on-a-given-n8n.mts',
	queue: OWN_N8N_ONLY,
	playground: OWN_N8N_ONLY,
	versions: OWN_N8N_ONLY,
	rehearsal: OWN_N8N_ONLY,
};

const filesOf = (name) => (isGivenN8n && ON_A_GIVEN_N8N[name]) || `${name}/**/*.test.mts`;

const project = (name) => ({
	displayName: name,
	rootDir: '.',
	testEnvironment: '<rootDir>/test/support/jest/environment.js',
	runtime: '<rootDir>/test/support/jest/packages.js',
	...(name === 'e2e' && { globalSetup: '<rootDir>/test/e2e/prepare.mts' }),
	setupFilesAfterEnv: SLOW.includes(name) ? ['<rootDir>/test/support/patience.mts'] : [],
	testMatch: [`<rootDir>/test/${filesOf(name)}`],
	moduleFileExtensions: ['mts', 'ts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: {
		'\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
				module: { type: 'commonjs' },
				sourceMaps: 'inline',
			},
		],
	},
	transformIgnorePatterns: ['/node_modules/', '<rootDir>/dist/'],
	modulePathIgnorePatterns: ['<rootDir>/dist/package.json', '<rootDir>/playground/node_modules/'],
});

export default {
	// Many tests wait, and Jest would run one file at a time on two cores. With four workers or seven, the suite takes
	// longer: each takes 2 to 3 s of CPU time to load and compile the same code.
	maxWorkers: Math.max(5, availableParallelism()),
	// On a busy machine, a worker that has nothing left to do takes longer than Jest's half second to exit.
	workerGracefulExitTimeout: 10_000,
	// A test that waits on purpose must not fail because the machine is busy with something else.
	testTimeout: 300_000,
	testSequencer: '<rootDir>/test/support/longest-first.js',
	projects: ['unit', 'sandbox', 'engine', ...SLOW].map(project),
};
