// npm run owner -- <owner>/<repository> <email address> <author's name>
// Writes the repository, the support address and the author's name wherever those in package.json stand now.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [repository = '', email = '', ...name] = process.argv.slice(2);
const owner = name.join(' ').trim();
if (
	!/^[\w.-]+\/[\w.-]+$/.test(repository) ||
	!/^[^@\s]+@[^@\s]+$/.test(email) ||
	!/^[^"\\]+$/.test(owner)
) {
	console.error('owner: npm run owner -- <owner>/<repository> <email address> "<author\'s name>"');
	process.exit(2);
}
const { homepage, author } = JSON.parse(readFileSync('package.json', 'utf8'));
const replaced = [
	[homepage, `https://github.com/${repository}`],
	[author.email, email],
	[author.name, owner],
] as const;
const present = replaced.flatMap(([from]) => ['-e', from]);
const tracked = execFileSync('git', ['grep', '-lIF', ...present], { encoding: 'utf8' });
for (const path of tracked.trim().split('\n')) {
	const text = readFileSync(path, 'utf8');
	writeFileSync(
		path,
		replaced.reduce((last, [from, to]) => last.replaceAll(from, to), text),
	);
	console.log(path);
}
