import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Check } from './check.mts';

const published = ['nodes', 'credentials', 'icons', 'package.json'];
const silencer = /eslint-disable|@ts-(ignore|expect-error|nocheck)/;
const defaultConfig = `import { config } from '@n8n/node-cli/eslint';\n\nexport default config;\n`;

/** The published sources in git: reviewers lint the committed files. */
function trackedSources(root: string): string[] {
	const listed = execFileSync('git', ['ls-files', '-z', '--', ...published], { cwd: root });
	return listed.toString().split('\0').filter(Boolean);
}

/** Copies the published sources to an otherwise empty folder. */
export function copySources(root: string, directory: string): string {
	for (const file of trackedSources(root)) {
		const target = join(directory, file);
		mkdirSync(dirname(target), { recursive: true });
		cpSync(join(root, file), target);
	}
	return directory;
}

/** No rule may be turned off: neither inline nor in another configuration. */
export function checkSilencers(root: string): Check[] {
	const silenced = trackedSources(root)
		.filter((file) => file.endsWith('.ts'))
		.filter((file) => silencer.test(readFileSync(join(root, file), 'utf8')));
	const config = readFileSync(join(root, 'eslint.config.mjs'), 'utf8');
	return [
		{
			name: 'no published source silences a rule',
			problems: silenced.map((file) => `${file} holds an inline disable: mend the code instead`),
		},
		{
			name: "eslint.config.mjs is n8n's default",
			problems: config === defaultConfig ? [] : ['eslint.config.mjs differs from the default'],
		},
	];
}
