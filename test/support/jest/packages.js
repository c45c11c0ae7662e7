const Module = require('node:module');
const { join, sep } = require('node:path');
const { compileFunction } = require('node:vm');

const { default: Runtime } = require('jest-runtime');
const { BUILD, forgetModules } = require('./per-file.js');

const PACKAGES = `${sep}node_modules${sep}`;

// n8n-workflow and LangChain use zod 3 as a peer dependency, as n8n does; this checkout has zod 4
// at its root for the sandbox's contract. Mixed, an AI agent's tool rejects all arguments. So
// inside these two packages, "zod" is the zod 3 that n8n-core depends on.
const ofN8n = ['n8n-workflow', '@langchain'].map((name) => join(PACKAGES, name, sep));

// For tests with another version of n8n (scripts/versions.mts): a folder in which it is installed.
// Its parts replace those of this checkout, wherever they are asked for.
const otherN8n = process.env.CARRIER_TEST_ENGINE;

/** Where to look for a package, if not from the folder of the module that asks for it. */
function searchedFrom(request, folder) {
	if (otherN8n) {
		const isPartOfN8n = /^(n8n-core|n8n-workflow|@n8n\/(di|backend-common))($|\/)/.test(request);
		const isReplaced = isPartOfN8n && !folder.startsWith(otherN8n);
		return isReplaced ? join(otherN8n, 'node_modules', 'n8n') : undefined;
	}
	const isZod = request === 'zod' || request.startsWith('zod/');
	const isForN8n = isZod && ofN8n.some((path) => join(folder, sep).includes(path));
	return isForN8n ? require.resolve('n8n-core') : undefined;
}

const resolve = Module._resolveFilename;
const resolved = new Map();

/** What is installed, and where the build's files are, does not change while tests run. */
const isFixed = (folder) => folder.includes(PACKAGES) || join(folder, sep).startsWith(BUILD);

Module._resolveFilename = (request, parent, isMain, options) => {
	if (!parent?.path || options) return resolve(request, parent, isMain, options);
	const key = `${parent.path}\0${request}`;
	const known = resolved.get(key);
	if (known) return known;
	const basedir = searchedFrom(request, parent.path);
	const path = resolve(request, parent, isMain, basedir && { paths: [basedir] });
	if (isFixed(parent.path)) resolved.set(key, path);
	return path;
};

const isPackage = (name) =>
	/^[^./]/.test(name) && !Module.isBuiltin(name) && name !== '@jest/globals';

const compiled = new Map();

/**
 * Lets Node load packages, where Jest would load them for each test file: n8n-core alone has some 2,060
 * modules. Libraries are loaded once per worker; n8n's own packages and the build are run again for each
 * file, and so are the modules that are left to Jest: tests, sandbox and sources.
 */
module.exports = class extends Runtime {
	constructor(...args) {
		super(...args);
		this.executor.compile = (source, filename) => this.#compile(source, filename);
		forgetModules();
	}

	requireModuleOrMock(from, name) {
		return this.#isLeftToNode(name)
			? Module.createRequire(from)(name)
			: super.requireModuleOrMock(from, name);
	}

	requireActual(from, name) {
		return this.#isLeftToNode(name)
			? Module.createRequire(from)(name)
			: super.requireActual(from, name);
	}

	#isLeftToNode(name) {
		return isPackage(name) || name.startsWith(BUILD);
	}

	/** The module's code as a function: the same for all test files, which run it for themselves. */
	#compile(source, filename) {
		const known = compiled.get(filename);
		if (known?.source === source) return known.run;
		const run = compileFunction(source, this.executor.injectedModuleParameters, { filename });
		compiled.set(filename, { source, run });
		return run;
	}
};
