// Mutation testing: npm run test:mutation -- --mutants 50 --files calls/wait --seed 7
// Changes one place in the sources at a time, in a copy of the package, and runs the tests that reach
// it. A mutant that no test notices survives. docs/mutation.md lists the survivors that are accepted.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Mutant } from './mutation/mutants.mts';
import { draw, folderOf, namedMutant, testsFor, type Named } from './mutation/plan.mts';
import { Workshop, type TestReport, type Verdict } from './mutation/workshop.mts';

const root = resolve(import.meta.dirname, '..');
const { values: given } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		mutants: { type: 'string', default: '200' },
		/** Part of the path, as a regular expression. */
		files: { type: 'string', default: '' },
		/** The most test files to run for one mutant. */
		tests: { type: 'string', default: '12' },
		/** The least time for a mutant's tests, in seconds; they get five times what they take without a mutant. */
		seconds: { type: 'string', default: '60' },
		parallel: { type: 'string', default: '2' },
		/** A file that keeps which test reaches what, for the next run. */
		map: { type: 'string' },
		/** A file of mutants made by hand, instead of a sample. */
		named: { type: 'string' },
	},
});

interface Outcome {
	mutant: Mutant;
	/** `unusable`: its tests fail without it, too. */
	verdict: Verdict | { end: 'not reached' | 'unusable' };
}

const files = globSync('{nodes,credentials}/**/*.ts', { cwd: root })
	.filter((file) => folderOf(file) !== undefined)
	.sort();

function chosen(): Mutant[] {
	if (given.named !== undefined) {
		const named = JSON.parse(readFileSync(given.named, 'utf8')) as Named[];
		return named.map(namedMutant);
	}
	const pattern = new RegExp(given.files);
	const matching = files.filter((file) => pattern.test(file));
	return draw(matching, Number(given.mutants), Number(given.seed));
}

async function readReports(): Promise<TestReport[]> {
	if (given.map !== undefined && existsSync(given.map)) {
		return JSON.parse(readFileSync(given.map, 'utf8')) as TestReport[];
	}
	console.log('Running all unit and engine tests once, to see which functions each reaches');
	const workshop = new Workshop();
	try {
		for (const file of files) workshop.instrument(file);
		const reports = await workshop.reports();
		if (given.map !== undefined) writeFileSync(given.map, JSON.stringify(reports));
		return reports;
	} finally {
		workshop.remove();
	}
}

async function tryOne(workshop: Workshop, mutant: Mutant, reports: TestReport[]): Promise<Outcome> {
	const tests = testsFor(mutant, reports, Number(given.tests));
	if (tests.length === 0) return { mutant, verdict: { end: 'not reached' } };
	workshop.mutate(mutant);
	const verdict = await testAll(workshop, tests).finally(() => workshop.restore(mutant.file));
	if (verdict.end !== 'killed' || verdict.inTest) return { mutant, verdict };
	const without = await testAll(workshop, tests);
	return { mutant, verdict: without.end === 'survived' ? verdict : { end: 'unusable' } };
}

/** The unit tests first, with their own time limit. */
async function testAll(workshop: Workshop, tests: TestReport[]): Promise<Verdict> {
	const isUnit = ({ test }: TestReport) => test.startsWith('test/unit/');
	const quick = await testIn(workshop, tests.filter(isUnit));
	if (quick.end !== 'survived') return quick;
	return await testIn(
		workshop,
		tests.filter((each) => !isUnit(each)),
	);
}

async function testIn(workshop: Workshop, tests: TestReport[]): Promise<Verdict> {
	if (tests.length === 0) return { end: 'survived' };
	const usualMs = tests.reduce((sum, { ms }) => sum + ms, 0);
	const timeoutMs = Math.max(Number(given.seconds) * 1000, 5 * usualMs);
	return await workshop.test(
		tests.map(({ test }) => test),
		timeoutMs,
	);
}

/** Lines of docs/mutation.md: - `file`: `the change`. The reason. */
const accepted = readFileSync(resolve(root, 'docs/mutation.md'), 'utf8').split('\n');
const isAccepted = ({ file, what }: Mutant) =>
	accepted.some((line) => line.startsWith(`- \`${file}\`: \`${what}\``));

const isKilled = ({ verdict }: Outcome) => verdict.end === 'killed' || verdict.end === 'timed out';

function tell({ mutant: { file, line, what }, verdict }: Outcome, seconds: number): void {
	const by = verdict.end === 'killed' ? ` by ${verdict.test} (${verdict.title})` : '';
	console.log(`${verdict.end}${by}: ${file}:${line}: ${what} [${seconds} s]`);
}

function report(all: Outcome[]): void {
	const outcomes = all.filter(({ verdict }) => verdict.end !== 'unusable');
	console.log(`${all.length - outcomes.length} mutants could not be tried`);
	const folders = [
		...new Set(outcomes.map(({ mutant }) => folderOf(mutant.file) ?? 'other')),
	].sort();
	const groups = folders.map((folder) => {
		const tried = outcomes.filter(({ mutant }) => (folderOf(mutant.file) ?? 'other') === folder);
		return [folder, tried] as const;
	});
	console.log('\nFolder, killed of tried, score:');
	for (const [folder, tried] of [...groups, ['all', outcomes] as const]) {
		const killed = tried.filter(isKilled).length;
		console.log(
			`${folder}: ${killed}/${tried.length} ${Math.round((100 * killed) / tried.length)}%`,
		);
	}
	const open = outcomes.filter((each) => !isKilled(each) && !isAccepted(each.mutant));
	console.log(
		`\n${open.length} survivors that docs/mutation.md does not accept (seed ${given.seed})`,
	);
	for (const { mutant, verdict } of open) {
		console.log(`- \`${mutant.file}\`: \`${mutant.what}\` line ${mutant.line}, ${verdict.end}`);
	}
	process.exitCode = open.length > 0 ? 1 : 0;
}

const mutants = chosen();
const reports = await readReports();
console.log(`${mutants.length} mutants, ${reports.length} test files, seed ${given.seed}`);
const failing = reports.filter(({ failed }) => failed).map(({ test }) => test);
if (failing.length > 0)
	console.log(`Not used, because they fail without a mutant: ${failing.join(', ')}`);

const queue = [...mutants];
const outcomes: Outcome[] = [];
await Promise.all(
	Array.from({ length: Number(given.parallel) }, async () => {
		const workshop = new Workshop();
		try {
			for (let next = queue.shift(); next; next = queue.shift()) {
				const begin = Date.now();
				const outcome = await tryOne(workshop, next, reports);
				outcomes.push(outcome);
				tell(outcome, Math.round((Date.now() - begin) / 1000));
			}
		} finally {
			workshop.remove();
		}
	}),
);
report(outcomes);
