import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '..', '..', '..');
const check = join(root, 'sandbox', 'contract', 'shipped-types.check.mts');
const shipped = join(root, 'nodes', 'shared', 'service', 'contract');

const config = ts.parseJsonConfigFileContent(
	ts.readConfigFile(join(root, 'tsconfig.dev.json'), ts.sys.readFile).config,
	ts.sys,
	root,
);

let before: ts.Program | undefined;

/** The errors of the check if one published file is changed. */
function errorsWith(file: string, from: string, to: string): string[] {
	const host = ts.createCompilerHost(config.options);
	const read = host.readFile.bind(host);
	host.getSourceFile = (name, options) => {
		const text = name.endsWith(`/contract/${file}`)
			? readFileSync(name, 'utf8').replace(from, to)
			: read(name);
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

/** One difference per contract file: the current text, and a mistake. */
const drifts: [string, string, string][] = [
	['agentCall.ts', 'status: string', 'status: number'],
	['analytics.ts', "'loads_booked'", "'loads_lost'"],
	['bid.ts', 'carrierMc: string', 'carrierMc?: string'],
	['call.ts', 'transcript: string', 'transcript: string | null'],
	['carrier.ts', 'fleetsize: number', 'fleetSize: number'],
	['carrierSalesCall.ts', 'dotNumber: number', 'dotNumber: string'],
	['checkCall.ts', 'nextStopIndex: number', 'nextStopIndex?: number'],
	['conversation.ts', 'bidAmounts: string', 'bidAmounts: string[]'],
	['listQuery.ts', 'endTime: string', 'endTime: Date'],
	['pagination.ts', 'offset: number', 'offset: string'],
];

describe('the published types', () => {
	it('match the contract schemas', () => {
		expect(errorsWith('none', '', '')).toEqual([]);
	});

	it.each(drifts)('in %s cannot drift: changing "%s" to "%s" fails the check', (file, from, to) => {
		expect(readFileSync(join(shipped, file), 'utf8')).toContain(from);
		const errors = errorsWith(file, from, to);
		expect(errors).toContainEqual(expect.stringMatching(/does not satisfy|not assignable/));
	});

	it('are all covered: every contract file has such a change', () => {
		expect(drifts.map(([file]) => file)).toEqual(
			ts.sys.readDirectory(shipped, ['.ts']).map((file) => file.slice(shipped.length + 1)),
		);
	});
});
