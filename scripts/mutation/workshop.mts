// A copy of the package, in which files are mutated and tests run. The checkout is never changed.
import { spawn } from 'node:child_process';
import {
	closeSync,
	cpSync,
	existsSync,
	mkdtempSync,
	openSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import ts from 'typescript';
import { functionsOf, type Mutant } from './mutants.mts';

const root = resolve(import.meta.dirname, '../..');
const LEFT_OUT = new Set(['node_modules', '.git', '.data', '.cache']);

const CONFIG = `
import base from './jest.config.mjs';
const own = (name) => new URL('./scripts/mutation/' + name, import.meta.url).pathname;
const projects = base.projects
	.filter(({ displayName }) => ['unit', 'engine'].includes(displayName))
	.map((project) => ({ ...project, testEnvironment: own('environment.mjs') }));
export default { ...base, projects, testSequencer: own('sequencer.mjs') };
`;

/** How a run of tests ended. */
export type Verdict =
	| {
			end: 'killed';
			test: string;
			title: string;
			/** False if a test file failed outside its tests: that may have another reason. */
			inTest: boolean;
	  }
	| { end: 'survived' | 'timed out' };

/** What environment.mjs writes. */
interface Killed {
	test: string;
	title: string;
	inTest: boolean;
}

/** What a test file did in a run without mutants. */
export interface TestReport {
	test: string;
	failed: boolean;
	ms: number;
	/** The functions that it reached, see `functionsOf`. */
	reached: string[];
}

export class Workshop {
	readonly folder = mkdtempSync(join(tmpdir(), 'mutation-'));
	private readonly options: ts.CompilerOptions;

	constructor() {
		cpSync(root, this.folder, {
			recursive: true,
			filter: (path) => !LEFT_OUT.has(basename(path)),
		});
		symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
		writeFileSync(join(this.folder, 'mutation.config.mjs'), CONFIG);
		const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
		this.options = ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options;
	}

	mutate({ file, start, end, replacement }: Mutant): void {
		const text = readFileSync(join(root, file), 'utf8');
		this.write(file, text.slice(0, start) + replacement + text.slice(end));
	}

	restore(file: string): void {
		this.write(file, readFileSync(join(root, file), 'utf8'));
	}

	/** Lets every function of a file note that it ran. */
	instrument(file: string): void {
		let text = readFileSync(join(root, file), 'utf8');
		const note = (place: string) => `(globalThis.__reached ??= new Set()).add('${place}')`;
		const insertions = functionsOf(file, text).flatMap(({ place, body }) => {
			if (ts.isBlock(body)) return [{ at: body.getStart() + 1, text: `${note(place)};` }];
			return [
				{ at: body.end, text: ')' },
				{ at: body.getStart(), text: `(${note(place)}, ` },
			];
		});
		for (const each of insertions.sort((one, other) => other.at - one.at)) {
			text = text.slice(0, each.at) + each.text + text.slice(each.at);
		}
		this.write(file, `${text}\n${note(file)};\n`);
	}

	/** Runs test files one after the other until one fails, or the time is up. */
	async test(tests: string[], timeoutMs: number): Promise<Verdict> {
		const killed = join(this.folder, 'killed.json');
		rmSync(killed, { force: true });
		const paths = tests.map((test) => join(this.folder, test));
		const env = { MUTATION_TESTS: JSON.stringify(paths), MUTATION_KILLED: killed };
		const code = await this.jest(['-i', '--bail', '--runTestsByPath', ...paths], env, timeoutMs);
		if (existsSync(killed)) {
			const { test, title, inTest } = JSON.parse(readFileSync(killed, 'utf8')) as Killed;
			return { end: 'killed', test: this.relative(test), title, inTest };
		}
		if (code === undefined) return { end: 'timed out' };
		if (code === 0) return { end: 'survived' };
		const title = 'a test file that could not be loaded';
		return { end: 'killed', test: tests.join(', '), title, inTest: false };
	}

	/** Runs all unit and engine tests once, and reports what each file reached. */
	async reports(): Promise<TestReport[]> {
		const file = join(this.folder, 'reached.jsonl');
		await this.jest(['-w', '2'], { MUTATION_REACHED: file }, 3_600_000);
		if (!existsSync(file)) throw new Error(readFileSync(join(this.folder, 'jest.log'), 'utf8'));
		const lines = readFileSync(file, 'utf8').trim().split('\n');
		return lines.map((line) => {
			const report = JSON.parse(line) as TestReport;
			return { ...report, test: this.relative(report.test) };
		});
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	private relative(path: string): string {
		return path.replace(`${this.folder}/`, '');
	}

	/** As the build does it, but for one file and without checking types. */
	private write(file: string, text: string): void {
		writeFileSync(join(this.folder, file), text);
		const { outputText } = ts.transpileModule(text, { compilerOptions: this.options });
		writeFileSync(join(this.folder, 'dist', file.replace(/\.ts$/, '.js')), outputText);
	}

	/** Returns the exit code; undefined if the time was up. */
	private async jest(args: string[], env: object, timeoutMs: number): Promise<number | undefined> {
		const jest = join(root, 'node_modules/jest/bin/jest.js');
		const log = openSync(join(this.folder, 'jest.log'), 'w');
		const child = spawn(process.execPath, [jest, '--config', 'mutation.config.mjs', ...args], {
			...{ cwd: this.folder, stdio: ['ignore', log, log], detached: true },
			env: { ...process.env, ...env },
		});
		let isLate = false;
		const timer = setTimeout(() => {
			isLate = true;
			// The whole group: tests start processes of their own.
			if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
		}, timeoutMs);
		const code = await new Promise<number>((done) => child.on('exit', (exit) => done(exit ?? 1)));
		clearTimeout(timer);
		closeSync(log);
		return isLate ? undefined : code;
	}
}
