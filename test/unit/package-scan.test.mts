import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkManifest, type Manifest } from '../../scripts/scan/manifest.mts';
import { checkTarball } from '../../scripts/scan/tarball.mts';

const good: Manifest = {
	name: 'n8n-nodes-freight',
	license: 'MIT',
	keywords: ['n8n-community-node-package'],
	files: ['dist'],
	scripts: { build: 'n8n-node build' },
	peerDependencies: { 'n8n-workflow': '*' },
	n8n: { strict: true, n8nNodesApiVersion: 1, nodes: ['dist/nodes/Dispatch/Dispatch.node.js'] },
};

const problemsOf = (manifest: object) =>
	checkManifest(manifest as Manifest).flatMap(({ problems }) => problems);

describe('the scan of package.json', () => {
	it('accepts a valid one', () => {
		expect(problemsOf(good)).toEqual([]);
	});

	it.each([
		['dependencies', { dependencies: { axios: '1' } }],
		['empty dependencies', { dependencies: {} }],
		['overrides', { overrides: { zod: '3' } }],
		['bundled dependencies', { bundledDependencies: ['axios'] }],
		['an install script', { scripts: { postinstall: 'node x.js' } }],
		['a packing script', { scripts: { prepack: 'node x.js' } }],
		['a peer with a version', { peerDependencies: { 'n8n-workflow': '2' } }],
		['a second peer', { peerDependencies: { 'n8n-workflow': '*', zod: '*' } }],
		['more than dist', { files: ['dist', 'sandbox'] }],
		['a scoped name', { name: '@freight/n8n-nodes-freight' }],
		['another licence', { license: 'ISC' }],
		['no strict mode', { n8n: { ...good.n8n, strict: false } }],
		['no keyword', { keywords: ['n8n'] }],
	])('rejects %s', (_what, change) => {
		expect(problemsOf({ ...good, ...change })).toHaveLength(1);
	});
});

describe('the scan of the tarball', () => {
	let directory: string;
	const machine = '/home/builder/checkout';

	const pack = (files: Record<string, string>) => {
		for (const [file, text] of Object.entries(files)) {
			mkdirSync(dirname(join(directory, file)), { recursive: true });
			writeFileSync(join(directory, file), text);
		}
		return checkTarball(directory, good, machine).flatMap(({ problems }) => problems);
	};
	const node = 'dist/nodes/Dispatch/Dispatch.node.js';
	const complete = { 'package.json': '{}', 'README.md': '', [node]: '' };

	beforeEach(() => {
		directory = mkdtempSync(join(tmpdir(), 'carrier-scan-test-'));
	});
	afterEach(() => rmSync(directory, { recursive: true }));

	it('accepts a package that requires only its own files and what n8n provides', () => {
		const code =
			'const a = require("n8n-workflow"); const b = require("./other"); require("crypto");';
		expect(pack({ ...complete, [node]: code })).toEqual([]);
	});

	it.each([
		['a foreign module', 'const axios = require("axios");', 'requires "axios"'],
		['a part of Node that n8n Cloud forbids', "require('node:fs')", 'requires "node:fs"'],
		['a module that is only known at run time', 'require(name)', 'requires "<name>"'],
		['a dynamic import', 'await import("undici")', 'requires "undici"'],
		['a folder of the build machine', `const path = "${machine}/x";`, machine],
	])('rejects %s', (_what, code, problem) => {
		expect(pack({ ...complete, [node]: code })).toEqual([expect.stringContaining(problem)]);
	});

	it.each([
		'sandbox/index.mts',
		'dist/sandbox/index.js',
		'dist/nodes/Dispatch/Dispatch.test.js',
		'dist/tsconfig.tsbuildinfo',
		'.npmrc',
	])('rejects %s', (file) => {
		expect(pack({ ...complete, [file]: '' })).toEqual([`${file} must not be published`]);
	});

	it('reports a registered node that is missing', () => {
		expect(pack({ 'package.json': '{}' })).toEqual([expect.stringContaining(node)]);
	});
});
