// The arrows of the house: node → resources → operations → calls → fields → shared. Type imports
// count, too: they are how files know about each other, even if nothing of them is left at run time.
const ACTION = '^nodes/CarrierLoadCommunications';
const LAYERS = ['resources', 'operations', 'calls', 'fields'];

/** A layer imports the layers after it, never one before it, and never the node itself. */
const layerRules = LAYERS.map((layer, index) => ({
	name: `${layer}-import-only-lower-layers`,
	severity: 'error',
	from: { path: `${ACTION}/${layer}/` },
	to: { path: [`${ACTION}/[^/]+$`, ...LAYERS.slice(0, index).map((room) => `${ACTION}/${room}/`)] },
}));

/** The files that place a call: each imports only those after it. */
const CALLS = [
	...[
		'placeCalls',
		'failedRun',
		'place',
		'callAnswer',
		'turn',
		'reconcile',
		'guard',
		'plan',
		'rules/rules',
	],
	'rules/rehearsal',
	...['rules/readRules', 'rules/agentRules', 'rules/ruleFields', 'item', 'rules/limits'],
	...['rules/hours', 'rules/zones', 'rules/zoneTable', 'rules/doNotCall'],
	...['uncalledRow', 'wait', 'looks', 'duplicate', 'settings', 'options', 'callList', 'listedCall'],
	...['memory', 'keys', 'rows', 'callFields', 'callErrors', 'metadata', 'moved'],
	...['phone', 'phoneFields', 'phoneLibrary', 'call'],
];
const callRules = CALLS.map((name, index) => ({
	name: `calls-${name.replace('/', '-')}-imports-downward`,
	severity: 'error',
	from: { path: `${ACTION}/calls/${name}\\.ts$` },
	to: {
		path: `${ACTION}/calls/`,
		pathNot: CALLS.slice(index + 1).map((lower) => `${ACTION}/calls/${lower}\\.ts$`),
	},
}));

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
			to: { path: ['^nodes/(?!shared/)', '^credentials/'] },
		},
		{
			name: 'nodes-do-not-import-each-other',
			comment: 'What two nodes need is in nodes/shared.',
			severity: 'error',
			from: { path: '^nodes/(?!shared/)([^/]+)/' },
			to: { path: '^nodes/(?!shared/)', pathNot: '^nodes/$1/' },
		},
		...layerRules,
		...callRules,
		{
			name: 'stages-do-not-import-the-trigger',
			comment: 'receive.ts and poll.ts tell the story; the stages they call do not know them.',
			severity: 'error',
			from: { path: '^nodes/[^/]+Trigger/[^/]+/' },
			to: { path: '^nodes/[^/]+Trigger/([^/]+\\.node|receive|poll)\\.ts$' },
		},
		{
			name: 'only-known-packages',
			comment:
				'What n8n does not provide has to be bundled (gulpfile.js); the scan checks the result.',
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
