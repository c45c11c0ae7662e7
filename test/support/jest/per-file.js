const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, sep } = require('node:path');
const { compileFunction, constants } = require('node:vm');

const BUILD = join(__dirname, '../../../dist', sep);

// n8n keeps state in its own modules, and sets axios up when it is loaded. Libraries inside the folders of
// n8n's packages are libraries as any others.
const STATEFUL = /\/node_modules\/(n8n-|@n8n\/|axios\/)(?!.*\/node_modules\/)/;

const isOfOneFile = (path) => path.startsWith(BUILD) || STATEFUL.test(path);

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];
const compiled = new Map();

/** A module's code as a function, or undefined if it is not CommonJS. Throws if it can't be read. */
function compile(path) {
	const source = readFileSync(path, 'utf8');
	const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
	try {
		return compileFunction(source, PARAMETERS, { filename: path, importModuleDynamically });
	} catch {
		return undefined;
	}
}

const load = Module._extensions['.js'];

/** Runs the modules of n8n and of the build anew for each file, but compiles them only once per worker. */
Module._extensions['.js'] = (module, path) => {
	if (!isOfOneFile(path)) return load(module, path);
	if (!compiled.has(path)) compiled.set(path, compile(path));
	const run = compiled.get(path);
	if (!run) return load(module, path);
	const require = Module.createRequire(path);
	run.call(module.exports, module.exports, require, module, path, dirname(path));
};

/** Makes Node forget the modules that the test file before this one has loaded for itself. */
exports.forgetModules = () => {
	for (const path of Object.keys(require.cache)) {
		if (isOfOneFile(path)) Reflect.deleteProperty(require.cache, path);
	}
};

exports.BUILD = BUILD;
