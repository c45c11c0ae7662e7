// The arrows of the house. Imports point one way:
// node → resources → operations → calls → shared. Type imports count: they are how files know
// about each other, even if nothing of them is left at run time.
const ACTION = '^nodes/CarrierLoadCommunications';

export default {
	forbidden: [
		{
			name: 'no-circles',
			comment: 'Two files that import each other are one file, or hide a third one.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'shared-imports-no-node',
			severity: 'error',
			from: { path: '^nodes/shared/' },
			to: { path: '^(nodes/(?!shared/)|credentials/)' },
		},
		{
			name: 'nodes-do-not-import-each-other',
			comment: 'What two nodes need is in nodes/shared.',
			severity: 'error',
			from: { path: '^nodes/(?!shared/)([^/]+)/' },
			to: { path: '^nodes/(?!shared/)', pathNot: '^nodes/$1/' },
		},
		{
			name: 'calls-import-only-shared',
			severity: 'error',
			from: { path: `${ACTION}/calls/` },
			to: { path: `${ACTION}/(?!calls/)` },
		},
		{
			name: 'operations-do-not-import-resources',
			severity: 'error',
			from: { path: `${ACTION}/operations/` },
			to: { path: `${ACTION}/(?!operations/|calls/)` },
		},
		{
			name: 'resources-do-not-import-the-node',
			severity: 'error',
			from: { path: `${ACTION}/resources/` },
			to: { path: `${ACTION}/[^/]+$` },
		},
		{
			name: 'stages-do-not-import-the-trigger',
			comment: 'receive.ts and poll.ts tell the story; the stages they call do not know them.',
			severity: 'error',
			from: { path: '^nodes/[^/]+Trigger/[^/]+/' },
			to: { path: '^nodes/[^/]+Trigger/[^/]+\\.node\\.ts$|/(receive|poll)\\.ts$' },
		},
		{
			name: 'only-what-n8n-provides',
			comment: 'Everything else has to be bundled: see gulpfile.js. The scan checks the result.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsConfig: { fileName: 'tsconfig.json' },
		tsPreCompilationDeps: true,
	},
};
