const { build: bundle } = require('esbuild');
const { dest, parallel, src } = require('gulp');

/** The codex files (search terms, categories) that `n8n-node build` does not copy. */
function codex() {
	return src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
}

/**
 * A published node may require nothing at run time that n8n does not provide. A library is used
 * through one file that re-exports what is needed of it; here that file takes the library in.
 */
async function bundleLibraries() {
	await bundle({
		entryPoints: ['nodes/CarrierLoadCommunications/calls/plan/phoneLibrary.ts'],
		outfile: 'dist/nodes/CarrierLoadCommunications/calls/plan/phoneLibrary.js',
		allowOverwrite: true,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'es2022',
		legalComments: 'inline',
	});
}

exports.build = parallel(codex, bundleLibraries);
