import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

it('keeps test files apart that run in one process', () => {
	const jest = join(root, 'node_modules/jest/bin/jest.js');
	const args = ['--selectProjects', 'unit', '-i', '--testPathPatterns', 'isolation/(one|two)'];
	const { stderr } = spawnSync(process.execPath, [jest, ...args], { cwd: root, encoding: 'utf8' });
	expect(stderr).toContain('Test Suites: 2 passed, 2 total');
});
