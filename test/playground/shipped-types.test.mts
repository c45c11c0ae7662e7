import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

// Beside the playground's slow tests, because the type checker takes long.
const root = join(__dirname, '..', '..');
const check = join(root, 'sandbox', 'shipped-types.check.mts');
const shipped = join(root, 'nodes', 'shared', 'service', 'contract.ts');

const config = ts.parseJsonConfigFileContent(
	ts.readConfigFile(join(root, 'tsconfig.dev.json'), ts.sys.readFile).config,
	ts.sys,
	root,
);

let before: ts.Program | undefined;

/** The errors of the check if the published types are changed. */
function errorsWith(from: string, to: string): string[] {
	const host = ts.createCompilerHost(config.options);
	const read = host.readFile.bind(host);
	host.getSourceFile = (name, options) => {
		const text = name === shipped ? readFileSync(name, 'utf8').replace(from, to) : read(name);
		const same = before?.getSourceFile(name);
		if (same?.text === text) return same;
		return text === undefined ? undefined : ts.createSourceFile(name, text, options);
	};
	const program = ts.createProgram([check], config.options, host, before);
	before = program;
	const source = program.getSourceFile(check);
	return program
		.getSemanticDiagnostics(source)
		.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

/** The current text, and a mistake in it. */
const drifts: [string, string][] = [
	['loadId?: string', 'loadId?: number'],
	['origin?: string', 'pickup?: string'],
	['radius?: number', 'radius?: string'],
	["'loads_booked'", "'loads_lost'"],
	['startDate: string', 'startDate: Date'],
	['string | number', 'string | boolean'],
];

describe('the published types', () => {
	it('match the contract schemas', () => {
		expect(errorsWith('', '')).toEqual([]);
	});

	it.each(drifts)('cannot drift: changing "%s" to "%s" fails the check', (from, to) => {
		expect(readFileSync(shipped, 'utf8')).toContain(from);
		const errors = errorsWith(from, to);
		expect(errors).toContainEqual(expect.stringMatching(/does not satisfy|not assignable/));
	});

	it('are all compared by the check', () => {
		const names = readFileSync(shipped, 'utf8').matchAll(/export (?:interface|type) (\w+)/g);
		const compared = readFileSync(check, 'utf8');
		// A time range is a part of each list's query; the others don't cross the wire.
		const missing = [...names].filter(([, name]) => !compared.includes(`Same<shipped.${name},`));
		expect(missing.map(([, name]) => name)).toEqual([
			...['ServiceRequest', 'TimeRange', 'CallsSetting', 'CallSubject', 'CallKind', 'CallTarget'],
		]);
	});
});
