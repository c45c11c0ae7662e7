// How many files of nodes/ a reader opens to follow one story, and how many lines they have: the built nodes
// run in the real n8n-core against the sandbox, and V8 says which functions ran. Each story runs twice, and
// only the second time counts, so that loading modules and what happens once per process do not. That time it has
// another token, so that nothing is remembered from the first.
// Run: npm run stories [-- --check] [--files]
// --check ends with exit code 1 if a story is longer than its limit; --files lists the files of each story.
import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startSandbox } from '../sandbox/index.mts';
import { ProcessedData } from '../test/engine/support/calls/processedData.mts';
import { startEngine } from '../test/engine/support/harness/index.mts';
import { core, repositoryRoot } from '../test/engine/support/harness/n8n.mts';

interface Story {
	name: string;
	limit: { files: number; lines: number };
	/** Throws if it did not happen as it should. */
	tell(accessToken: string): Promise<void>;
}

interface FileOfStory {
	path: string;
	/** All lines of the source file. */
	lines: number;
	/** Lines of the functions that ran, without those inside that did not. */
	run: number;
}

const CALLS = 10;
/** What is built from nodes/, as V8 names it. */
const NODES = pathToFileURL(join(repositoryRoot, 'dist/nodes/')).href;
const PAGES = 3;
const PAGE = 500;

const check = process.argv.includes('--check');
const listFiles = process.argv.includes('--files');

const sandbox = await startSandbox({ calls: PAGES * PAGE - 100, callDelayMs: Infinity });
const engine = await startEngine();
// The guard writes its reservations into n8n's table.
await core.DataDeduplicationService.init(new ProcessedData());
const withToken = (accessToken: string) => ({
	credentials: { carrierLoadCommunicationsApi: { baseUrl: sandbox.baseUrl, accessToken } },
});

let drivers = 0;

async function placeGuardedCalls(accessToken: string): Promise<void> {
	const items = Array.from({ length: CALLS }, () => {
		const nth = drivers++;
		return { phone: `(312) 555-01${String(nth).padStart(2, '0')}`, load: `S${nth}` };
	});
	const parameters = {
		...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 1, rules: {} },
		...{
			toPhone: '={{ $json.phone }}',
			loadNumber: '={{ $json.load }}',
			rules: { skipIfCalledWithin: 10 },
		},
	};
	const before = sandbox.ledger.dialed().length;
	const run = await engine.runNode(parameters, { ...withToken(accessToken), items });
	const dialed = sandbox.ledger.dialed().length - before;
	if (run.status !== 'success' || dialed !== CALLS) {
		throw run.error ?? new Error(`The node placed ${dialed} of ${CALLS} calls`);
	}
}

async function listCalls(accessToken: string): Promise<void> {
	const parameters = {
		...{ resource: 'call', operation: 'getAll', returnAll: true, timeRange: 'custom' },
		...{ startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' },
	};
	const run = await engine.runNode(parameters, withToken(accessToken));
	if (run.status !== 'success' || run.items.length <= (PAGES - 1) * PAGE) {
		throw run.error ?? new Error(`The node returned ${run.items.length} calls`);
	}
}

const stories: Story[] = [
	{
		name: `Placing ${CALLS} guarded check calls`,
		limit: { files: 40, lines: 4000 },
		tell: placeGuardedCalls,
	},
	{
		name: `A list of ${PAGES} pages`,
		limit: { files: 25, lines: 1800 },
		tell: listCalls,
	},
];

const session = new Session();
session.connect();

/** What ran the second time. */
async function filesOf(story: Story): Promise<FileOfStory[]> {
	await story.tell(sandbox.tokens.north);
	await session.post('Profiler.takePreciseCoverage');
	await story.tell(sandbox.tokens.south);
	const { result } = await session.post('Profiler.takePreciseCoverage');
	const files = result.flatMap(({ url, functions }) => {
		if (!url.startsWith(NODES)) return [];
		const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
		return ran.length > 0 ? [fileOf(fileURLToPath(url), functions)] : [];
	});
	return files.sort((one, other) => one.path.localeCompare(other.path));
}

function fileOf(built: string, functions: Profiler.FunctionCoverage[]): FileOfStory {
	const path = relative(join(repositoryRoot, 'dist'), built).replace(/\.js$/, '.ts');
	const lines = linesIn(readFileSync(join(repositoryRoot, path), 'utf8'));
	return { path, lines, run: linesThatRan(built, functions) };
}

/** A function that did not run takes its lines from the one around it. */
function linesThatRan(built: string, functions: Profiler.FunctionCoverage[]): number {
	const code = readFileSync(built, 'utf8');
	// Libraries are bundled into the files that re-export them, without a source map. No one reads them here.
	if (!code.includes('//# sourceMappingURL=')) return 0;
	const map = new SourceMap(JSON.parse(readFileSync(`${built}.map`, 'utf8')));
	const ran = new Set<number>();
	const sourceLine = (offset: number) => {
		const before = code.slice(0, offset).split('\n');
		const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
		return 'originalLine' in entry ? entry.originalLine : undefined;
	};
	const ranges = functions.flatMap(({ ranges: [range] }) => range ?? []);
	// The longest first, so that a function comes after the one around it.
	const outermostFirst = ranges.toSorted((one, other) => lengthOf(other) - lengthOf(one));
	for (const { startOffset, endOffset, count } of outermostFirst) {
		const [first, last] = [sourceLine(startOffset), sourceLine(endOffset - 1)];
		if (first === undefined || last === undefined) continue;
		// One that did not run shares its first and last line with what is around it.
		if (count > 0) for (let line = first; line <= last; line++) ran.add(line);
		else for (let line = first + 1; line < last; line++) ran.delete(line);
	}
	return ran.size;
}

const lengthOf = ({ startOffset, endOffset }: Profiler.CoverageRange) => endOffset - startOffset;

const linesIn = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const sum = (files: FileOfStory[], key: 'lines' | 'run') =>
	files.reduce((total, file) => total + file[key], 0);

let isTooLong = false;
try {
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
	for (const story of stories) {
		const files = await filesOf(story);
		const [lines, run] = [sum(files, 'lines'), sum(files, 'run')];
		const { limit, name } = story;
		const isLonger = files.length > limit.files || lines > limit.lines;
		isTooLong ||= isLonger;
		console.log(
			`${name}: functions in ${files.length} files, ${lines} lines (${run} of them in functions that ran); ` +
				`limit ${limit.files} files, ${limit.lines} lines${isLonger ? ': TOO LONG' : ''}`,
		);
		if (!listFiles) continue;
		for (const file of files) {
			console.log(
				`  ${String(file.lines).padStart(5)} ${String(file.run).padStart(5)}  ${file.path}`,
			);
		}
	}
} finally {
	session.disconnect();
	engine.close();
	await sandbox.close();
}
if (check && isTooLong) process.exitCode = 1;
