// The sections of CHANGELOG.md that releases touch. "## [Unreleased]" is always there, at the top.

const UNRELEASED = /^## \[Unreleased\]\n+/m;

/** What is against making this version of the changelog. */
export function findingsBefore(text: string, version: string): string[] {
	if (!UNRELEASED.test(text)) return ['CHANGELOG.md has no "## [Unreleased]"'];
	const changes = text.split(UNRELEASED)[1]?.split(/^## /m)[0]?.trim();
	if (!text.includes(`\n## [${version}]`)) {
		return changes === '' ? ['CHANGELOG.md has nothing under "## [Unreleased]"'] : [];
	}
	if (changes === '') return findingsIn(text, version);
	return [
		`CHANGELOG.md has "## [${version}]" already: move what is under "## [Unreleased]" there, or name another version`,
	];
}

/** What is against publishing this version with the changelog. */
export function findingsIn(text: string, version: string): string[] {
	const headings = text.split('\n').filter((line) => line.startsWith(`## [${version}]`));
	const [heading = ''] = headings;
	if (headings.length > 1) return [`CHANGELOG.md has "## [${version}]" twice`];
	const isDated = / - \d{4}-\d\d-\d\d$/.test(heading);
	return isDated ? [] : [`CHANGELOG.md has no "## [${version}] - <date>"`];
}

/** Gives the changes that have no version yet this one, and a date. A section that was written for it stays. */
export function withVersion(text: string, version: string, date: string): string {
	if (text.includes(`\n## [${version}]`)) return text;
	return text.replace(UNRELEASED, `$&## [${version}] - ${date}\n\n`);
}
