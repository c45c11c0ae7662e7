// npm run check:docs
// Prints how many words the documentation has, by audience, and fails on a link or an anchor that leads nowhere.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Each page belongs to the first audience that has a pattern for it. */
const AUDIENCES: Array<[audience: string, patterns: string[]]> = [
	['README', ['README.md']],
	['changelog', ['CHANGELOG.md']],
	['contributors', ['docs/contributing/*.md', 'CONTRIBUTING.md']],
	['users', ['docs/**/*.md']],
	['next to what they are about', ['examples/README.md', 'docker/README.md', 'SECURITY.md']],
];

/** A file of this repository, as package.json's homepage names it. */
const OWN_FILE = /^https:\/\/github\.com\/[\w.-]+\/n8n-nodes-[\w-]+\/blob\/main\/(.+)$/;

/** Words of a Markdown text, also in tables and code: what has a letter or a digit, without comments and link targets. */
export function wordsOf(text: string): number {
	const visible = text.replaceAll(/<!--[^]*?-->/g, '').replaceAll(/\]\([^)\s]*\)/g, ']');
	return visible.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
	const anchors = new Set<string>();
	for (const [, heading = ''] of withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)) {
		const slug = heading
			.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.trim()
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
			.replaceAll(' ', '-');
		for (let count = 0; ; count++) {
			const anchor = count === 0 ? slug : `${slug}-${count}`;
			if (anchors.has(anchor)) continue;
			anchors.add(anchor);
			break;
		}
	}
	return anchors;
}

/** What is wrong with the links of a page: one text for each. */
export function brokenLinks(page: string, text: string): string[] {
	const links = [...withoutCode(text).matchAll(/\]\((<[^>]+>|[^)\s]+)\)/g)].map(
		([, to = '']) => to,
	);
	return links.flatMap((to) => {
		const own = OWN_FILE.exec(to)?.[1];
		if (own === undefined && /^[a-z]+:/.test(to)) return [];
		const [path = '', anchor] = (own ?? to).split('#');
		const target = path === '' ? page : own === undefined ? join(dirname(page), path) : path;
		if (!existsSync(join(root, target))) return [`${page}: ${to}: no such file`];
		if (anchor === undefined) return [];
		const anchors = anchorsOf(readFileSync(join(root, target), 'utf8'));
		return anchors.has(anchor) ? [] : [`${page}: ${to}: no such heading`];
	});
}

function withoutCode(text: string): string {
	return text
		.replaceAll(/^```[^]*?^```/gm, '')
		.replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));
}

function main(): void {
	const broken: string[] = [];
	const seen = new Set<string>();
	for (const [audience, patterns] of AUDIENCES) {
		const pages = globSync(patterns, { cwd: root })
			.map((page) => relative(root, join(root, page)))
			.filter((page) => !seen.has(page))
			.sort();
		let sum = 0;
		for (const page of pages) {
			seen.add(page);
			const text = readFileSync(join(root, page), 'utf8');
			const words = wordsOf(text);
			sum += words;
			console.log(`${String(words).padStart(7)}  ${page}`);
			broken.push(...brokenLinks(page, text));
		}
		console.log(`${String(sum).padStart(7)}  words: ${audience}\n`);
	}
	// Links in the form and in error texts.
	for (const file of globSync('{nodes,credentials}/**/*.{ts,json}', { cwd: root })) {
		const text = readFileSync(join(root, file), 'utf8');
		for (const [url] of text.matchAll(
			/https:\/\/github\.com\/[\w.-]+\/n8n-nodes-[\w-]+\/blob\/main\/[^'"`\s)]+/g,
		)) {
			broken.push(...brokenLinks(file, `](${url})`));
		}
	}
	for (const each of broken) console.error(each);
	if (broken.length > 0) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) main();
