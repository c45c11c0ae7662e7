// Development code (.mts, .mjs) runs in Node.js and never ships. It may use timers and `process`,
// which eslint.config.mjs forbids in the nodes. "n8n-node lint" checks the nodes with version 1 of
// eslint-plugin-n8n-nodes-base and takes no other configuration, so version 2 checks them here.
import js from '@eslint/js';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** A rule set of version 2, without the rules that @n8n/node-cli turns off as well. */
const nodesBaseRules = (files, { rules }, off) => ({
	files,
	languageOptions: { parser: tseslint.parser },
	plugins: { 'n8n-nodes-base': nodesBase },
	rules: { ...rules, ...Object.fromEntries(off.map((rule) => [`n8n-nodes-base/${rule}`, 'off'])) },
});

export default tseslint.config(
	{ ignores: ['**/node_modules', 'dist', '**/.data', '**/.cache'] },
	nodesBaseRules(['nodes/**/*.ts'], nodesBase.configs.nodes, [
		'node-class-description-inputs-wrong-regular-node',
		'node-class-description-outputs-wrong',
		'node-param-type-options-max-value-present',
	]),
	nodesBaseRules(['credentials/**/*.ts'], nodesBase.configs.credentials, [
		'cred-class-field-documentation-url-miscased',
		'cred-class-field-type-options-password-missing',
	]),
	{
		// A service or a sender may send 100 kB of any character: no pattern takes more than linear time.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
		},
	},
	{
		files: ['**/*.mts', '**/*.mjs', '**/*.js'],
		extends: [js.configs.recommended, tseslint.configs.strict],
		languageOptions: {
			globals: Object.fromEntries(
				['process', 'console', 'Buffer', 'URL', 'URLSearchParams', 'setTimeout', 'clearTimeout']
					.concat(['setInterval', 'clearInterval', 'setImmediate', 'fetch', 'AbortController'])
					.concat(['AbortSignal', 'performance', 'structuredClone', 'document', 'window'])
					.map((name) => [name, 'readonly']),
			),
		},
		rules: {
			'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
			'@typescript-eslint/no-require-imports': 'off',
			// Node runs .mts by erasing the types: no syntax may need more than that. (The compiler's
			// "erasableSyntaxOnly" would hold the published sources to it, too, where tests import them.)
			'@typescript-eslint/parameter-properties': 'error',
			'no-restricted-syntax': [
				'error',
				'TSEnumDeclaration',
				'TSModuleDeclaration[declare!=true]',
				'TSImportEqualsDeclaration',
				'TSExportAssignment',
			],
		},
	},
	{
		files: ['**/*.js'],
		languageOptions: {
			sourceType: 'commonjs',
			globals: { require: 'readonly', module: 'writable' },
		},
	},
	{
		files: ['test/**/*.mts'],
		languageOptions: {
			globals: Object.fromEntries(
				[
					'describe',
					'it',
					'expect',
					'beforeAll',
					'afterAll',
					'beforeEach',
					'afterEach',
					'jest',
					'test',
				].map((name) => [name, 'readonly']),
			),
		},
	},
);
