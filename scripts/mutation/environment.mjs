// The tests' environment. It ends the process at the first failed test, so that a mutant is killed
// within seconds, or notes which functions a test file has reached.
import { appendFileSync, writeFileSync } from 'node:fs';
import TestEnvironment from '../../test/support/jest/environment.js';

const { MUTATION_REACHED, MUTATION_KILLED } = process.env;

export default class MutationEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.test = context.testPath;
		this.begin = Date.now();
		this.failed = false;
	}

	handleTestEvent(event) {
		super.handleTestEvent(event);
		const { name, test, error } = event;
		if (!['test_fn_failure', 'hook_failure', 'error'].includes(name)) return;
		this.failed = true;
		if (MUTATION_KILLED === undefined) return;
		const title = test?.name ?? `before its tests: ${error?.message ?? error}`;
		writeFileSync(
			MUTATION_KILLED,
			JSON.stringify({ test: this.test, title, inTest: test !== undefined }),
		);
		process.exit(1);
	}

	async teardown() {
		const { test, failed } = this;
		const reached = [...(this.global.__reached ?? [])];
		const line = { test, failed, ms: Date.now() - this.begin, reached };
		if (MUTATION_REACHED) appendFileSync(MUTATION_REACHED, `${JSON.stringify(line)}\n`);
		await super.teardown();
	}
}
