import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findingsBefore, findingsIn, withVersion } from '../../scripts/changelog.mts';

const DATE = '2026-12-01';
const log = (...sections: string[]) => ['# Changelog', ...sections, ''].join('\n\n');
const OPEN = ['## [Unreleased]', '- Faster.'];
const FIRST = ['## [0.2.0] - 2026-11-25', '- First.'];

describe('a release', () => {
	it('puts the unreleased changes under its version and date, and leaves the heading for the next', () => {
		const text = log(...OPEN, ...FIRST);
		expect(findingsBefore(text, '0.3.0')).toEqual([]);
		const released = withVersion(text, '0.3.0', DATE);
		expect(released).toBe(log('## [Unreleased]', `## [0.3.0] - ${DATE}`, '- Faster.', ...FIRST));
		expect(findingsIn(released, '0.3.0')).toEqual([]);
	});

	it('keeps a section that was written for it', () => {
		const text = log('## [Unreleased]', ...FIRST);
		expect(findingsBefore(text, '0.2.0')).toEqual([]);
		expect(withVersion(text, '0.2.0', DATE)).toBe(text);
	});

	it.each([
		['whose heading exists while there are unreleased changes', log(...OPEN, ...FIRST), 'already'],
		['whose heading has no date', log('## [Unreleased]', '## [0.2.0]', '- First.'), '<date>'],
		['whose heading exists twice', log('## [Unreleased]', ...FIRST, ...FIRST), 'twice'],
		['without unreleased changes', log('## [Unreleased]', '## [0.1.0] - 2026-01-01'), 'nothing'],
		['without the heading for them', log(...FIRST), 'no "## [Unreleased]"'],
	])('is refused %s', (_what, text, problem) => {
		expect(findingsBefore(text, '0.2.0')).toEqual([expect.stringContaining(problem)]);
	});
});

it('the changelog has a section with a date for the version in package.json', () => {
	const read = (path: string) => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8');
	const { version } = JSON.parse(read('package.json')) as { version: string };
	expect(findingsIn(read('CHANGELOG.md'), version)).toEqual([]);
});
