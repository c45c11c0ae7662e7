import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, Test, TestResult, AggregatedResult } from '@jest/reporters';

export interface FileResult {
	file: string;
	/** How many files there are in all. */
	of: number;
	seconds: number;
	passed: number;
	failures: { test: string; message: string }[];
}

/** Jest's reporter for scripts/versions.mts: a line per test file, also in CARRIER_TEST_RESULTS. */
export default class implements Pick<Reporter, 'onTestResult'> {
	onTestResult(test: Test, result: TestResult, all: AggregatedResult): void {
		const file = relative(test.context.config.rootDir, test.path);
		const failed = result.testResults.filter(({ status }) => status === 'failed');
		const failures = failed.map(({ fullName, failureMessages }) => ({
			test: fullName,
			message: stripVTControlCharacters(failureMessages.join('\n')),
		}));
		if (failures.length === 0 && (result.testExecError || result.failureMessage)) {
			failures.push({ test: file, message: result.failureMessage ?? '' });
		}
		const { start, end } = result.perfStats;
		const line: FileResult = {
			...{ file, of: all.numTotalTestSuites, seconds: Math.round((end - start) / 1000) },
			...{ passed: result.numPassingTests, failures },
		};
		appendFileSync(String(process.env['CARRIER_TEST_RESULTS']), `${JSON.stringify(line)}\n`);
		const done = all.numPassedTestSuites + all.numFailedTestSuites;
		const counts = `${line.passed} passed, ${failures.length} failed, ${line.seconds} s`;
		console.log(`  ${done} of ${line.of} ${file}: ${counts}`);
	}
}
