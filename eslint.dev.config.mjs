// Development code (.mts, .mjs) runs in Node.js and never ships. It may use timers and `process`,
// which eslint.config.mjs forbids in the nodes.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['**/node_modules', 'dist', '**/*.ts', '**/.data', '**/.cache'] },
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
