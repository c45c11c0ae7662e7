// npm run owner -- <owner>/<repository> <email address>
// Writes the repository and the support address wherever this one names them. package.json has the present ones.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [repository = '', email = ''] = process.argv.slice(2);
if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || !/^[^@\s]+@[^@\s]+$/.test(email)) {
	console.error('owner: npm run owner -- <owner>/<repository> <email address>');
	process.exit(2);
}
const { homepage, author } = JSON.parse(readFileSync('package.json', 'utf8'));
const replaced = [
	[homepage, `https://github.com/${repository}`],
	[author.email, email],
] as const;
const tracked = execFileSync('git', ['grep', '-lIF', '-e', homepage, '-e', author.email], {
	encoding: 'utf8',
});
for (const path of tracked.trim().split('\n')) {
	const text = readFileSync(path, 'utf8');
	writeFileSync(
		path,
		replaced.reduce((last, [from, to]) => last.replaceAll(from, to), text),
	);
	console.log(path);
}
