// n8n loads this first (--require). It finds some 15,000 modules at each start, and always the same ones: the first
// start writes them down, and the others look there before they search folder by folder.
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { sep } = require('node:path');

const { RESOLVED_MODULES: file, RESOLVED_MODULES_IN: root } = process.env;
const inRoot = (path) => path?.startsWith(root + sep) === true;
const resolve = Module._resolveFilename;

function useThem() {
	const files = JSON.parse(readFileSync(file, 'utf8'));
	Module._resolveFilename = (request, parent, isMain, options) => {
		const known = inRoot(parent?.path)
			? files[parent.path.slice(root.length)]?.[request]
			: undefined;
		return known === undefined || options !== undefined
			? resolve(request, parent, isMain, options)
			: root + known;
	};
}

function writeThemDown() {
	const files = {};
	Module._resolveFilename = (request, parent, isMain, options) => {
		const found = resolve(request, parent, isMain, options);
		if (options === undefined && inRoot(parent?.path) && inRoot(found)) {
			const inFolder = (files[parent.path.slice(root.length)] ??= {});
			inFolder[request] = found.slice(root.length);
		}
		return found;
	};
	process.on('exit', () => {
		// Another n8n may be starting.
		writeFileSync(`${file}.new`, JSON.stringify(files));
		renameSync(`${file}.new`, file);
	});
}

if (existsSync(file)) useThem();
else writeThemDown();
