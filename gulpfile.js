const { readdir, rm } = require('node:fs/promises');
const { build: bundle } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

/** Files that re-export the parts of a library that the nodes use. */
const LIBRARIES = [
	'nodes/CarrierLoadCommunications/calls/phoneLibrary.ts',
	'nodes/shared/ipLibrary.ts',
];

const PUBLISHED = ['nodes', 'credentials', 'icons'];

/** The codex files (search terms, categories), which `n8n-node build` does not copy. */
function codex() {
	return src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
}

/**
 * A published node may require at run time only what n8n provides. So each library is bundled into
 * the file that re-exports it, and its license is included.
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

/** `n8n-node build` copies the pictures of all folders, even of what is installed in playground/. */
async function dropOtherFolders() {
	const folders = await readdir('dist', { withFileTypes: true });
	const others = folders.filter((entry) => entry.isDirectory() && !PUBLISHED.includes(entry.name));
	await Promise.all(others.map(({ name }) => rm(`dist/${name}`, { recursive: true })));
}

/** So that nothing builds again what is the same. */
async function note() {
	const { noteBuild } = await import('./playground/setup/build.mts');
	noteBuild();
}

exports.build = series(parallel(codex, bundleLibraries, dropOtherFolders), note);
