// npm run release -- 0.3.0
// Makes a version of what is checked out: version and date, commit, tag. Pushing it is left to you; the tag's
// workflow then publishes it (docs/contributing/publishing.md). With --check, says whether what is checked out
// is such a version: before publishing, in that workflow and in prepublishOnly.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { isRecord, textIn } from '../playground/n8n/rest.mts';
import { findingsBefore as logBefore, findingsIn as logIn, withVersion } from './changelog.mts';

const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md'];

/** Run in the repository's root folder, as npm does. */
function main([asked = '']: string[]): void {
	const problems = asked === '--check' ? findingsNow() : findingsBefore(asked);
	if (problems.length > 0) throw new Error(problems.map((each) => `\n- ${each}`).join(''));
	if (asked === '--check')
		return console.log(`release: ${read('package.json').version} can be published`);

	npm('version', asked, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts');
	const today = new Date().toISOString().slice(0, 10);
	writeFileSync('CHANGELOG.md', withVersion(changelog(), asked, today));
	if (git('status', '--porcelain', '--', ...FILES) !== '') {
		git('commit', '--quiet', '--message', `Release ${asked}`, '--', ...FILES);
	}
	git('tag', asked);
	console.log(`Version ${asked} is committed and tagged, here only. To publish it:\n`);
	console.log(`git push --atomic origin main ${asked}`);
}

/** What is against making this version of what is checked out. */
function findingsBefore(version: string): string[] {
	if (!/^\d+\.\d+\.\d+$/.test(version)) return ['Name a version: npm run release -- 0.3.0'];
	git('fetch', '--quiet', '--tags', 'origin', 'main');
	return [
		...(git('branch', '--show-current') === 'main' ? [] : ['Releases are made on the branch main']),
		...changes(),
		...(git('rev-parse', 'HEAD') === git('rev-parse', 'origin/main')
			? []
			: ['main differs from origin/main: pull, or push first, so that CI has tested it']),
		...(git('tag', '--list', version) === '' ? [] : [`The tag ${version} exists already`]),
		...logBefore(changelog(), version),
		...placeholders(),
	];
}

/** What is against publishing what is checked out. */
function findingsNow(): string[] {
	const { version } = read('package.json');
	const isTagged = git('tag', '--points-at', 'HEAD').split('\n').includes(version);
	return [
		...changes(),
		...(isTagged ? [] : [`This commit isn't tagged ${version}: npm run release -- <version>`]),
		...(isOnMain() ? [] : ['This commit is not on origin/main: push it first']),
		...logIn(changelog(), version),
		...placeholders(),
	];
}

function changes(): string[] {
	const changed = git('status', '--porcelain');
	return changed === '' ? [] : [`There are changes that are not committed:\n${changed}`];
}

function isOnMain(): boolean {
	try {
		git('merge-base', '--is-ancestor', 'HEAD', 'origin/main');
		return true;
	} catch {
		return false;
	}
}

/**
 * What only the owner of the repository can fill in. npm publishes with provenance only from the repository that
 * package.json names, and no one has an email address in the reserved domain .example.
 */
function placeholders(): string[] {
	const { packageName, repository, email, author } = read('package.json');
	const origin = urlOfOrigin();
	const name = repository.replace(/^git\+https:\/\/github\.com\/|\.git$/g, '');
	const how = 'npm run owner -- <owner>/<repository> <email address> "<author\'s name>"';
	return [
		...(origin.endsWith(`/${name}`) || origin.endsWith(`:${name}`)
			? []
			: [`package.json names the repository ${name}, but origin is ${origin}: ${how}`]),
		...(email.endsWith('.example')
			? [`The support address is a placeholder, ${email}: ${how}`]
			: []),
		...(author === `${packageName} contributors`
			? [`The author's name is a placeholder, ${author}: ${how}`]
			: []),
	];
}

function urlOfOrigin(): string {
	try {
		return git('remote', 'get-url', 'origin').replace(/\.git$/, '');
	} catch {
		return 'missing (git remote add origin <URL>)';
	}
}

function changelog(): string {
	return readFileSync('CHANGELOG.md', 'utf8');
}

function read(path: string) {
	const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
	const { repository, author } = isRecord(manifest) ? manifest : {};
	return {
		packageName: textIn(manifest, 'name'),
		version: textIn(manifest, 'version'),
		repository: textIn(repository, 'url'),
		email: textIn(author, 'email'),
		author: textIn(author, 'name'),
	};
}

function git(...args: string[]): string {
	return run('git', args);
}

function npm(...args: string[]): string {
	return run('npm', args);
}

function run(command: string, args: string[]): string {
	return execFileSync(command, args, {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'pipe'],
	}).trim();
}

try {
	main(process.argv.slice(2));
} catch (error) {
	console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
}
