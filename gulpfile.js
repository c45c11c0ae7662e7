const { build: bundle } = require('esbuild');
const { dest, parallel, src } = require('gulp');

/** Files that re-export what the nodes need of a library. */
const LIBRARIES = [
	'nodes/CarrierLoadCommunications/calls/plan/phoneLibrary.ts',
	'nodes/CarrierLoadCommunicationsTrigger/verify/ipLibrary.ts',
];

/** The codex files (search terms, categories) that `n8n-node build` does not copy. */
function codex() {
	return src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
}

/**
 * A published node may require nothing at run time that n8n does not provide: each library is
 * bundled into the file that re-exports it, and its license goes along.
 */
async function bundleLibraries() {
	const { metafile } = await bundle({
		entryPoints: LIBRARIES,
		outdir: 'dist',
		outbase: '.',
		allowOverwrite: true,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'es2022',
		legalComments: 'inline',
		metafile: true,
	});
	const { writeNotices } = await import('./scripts/third-party.mts');
	writeNotices(Object.keys(metafile.inputs));
}

exports.build = parallel(codex, bundleLibraries);
