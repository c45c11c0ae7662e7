import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

const folder = resolve(import.meta.dirname, '../../../.github/workflows');
const files = readdirSync(folder);

const permissions = z.record(z.string(), z.string()).optional();
const schema = z.object({
	permissions,
	jobs: z.record(
		z.string(),
		z.object({
			permissions,
			uses: z.string().optional(),
			steps: z
				.array(z.object({ uses: z.string().optional(), run: z.string().optional() }))
				.default([]),
		}),
	),
});

/** The jobs of a workflow, each with the permissions it has, what it uses and what it runs. */
function jobsOf(yaml: string) {
	const workflow = schema.parse(parse(yaml));
	return Object.entries(workflow.jobs).map(([name, job]) => ({
		name,
		permissions: job.permissions ?? workflow.permissions ?? {},
		uses: [job.uses, ...job.steps.map(({ uses }) => uses)].filter((each) => each !== undefined),
		run: job.steps.map(({ run = '' }) => run).join('\n'),
	}));
}

const unpinned = (yaml: string) =>
	jobsOf(yaml)
		.flatMap(({ uses }) => uses)
		.filter((each) => !/^\.\/|@[0-9a-f]{40}$/.test(each));

/** What installs or runs something that was not tested, in a job that may publish. */
const installs = (yaml: string) =>
	jobsOf(yaml)
		.filter((job) => job.permissions['id-token'] === 'write')
		.flatMap(({ run, uses }) => [
			...(run.match(/\b(?:npm (?:i|install|ci|add|exec|run)\b|npx|yarn|pnpm|curl|wget).*/g) ?? []),
			...uses.filter((each) => /^(?:\.\/|actions\/checkout@)/.test(each)),
		]);

it.each(files)('%s pins every action to a commit', (file) => {
	const yaml = readFileSync(join(folder, file), 'utf8');
	expect(jobsOf(yaml).flatMap(({ uses }) => uses).length).toBeGreaterThan(0);
	expect(unpinned(yaml)).toEqual([]);
});

it('the job that may publish installs nothing, and runs nothing of the repository', () => {
	const yamls = files.map((file) => readFileSync(join(folder, file), 'utf8'));
	const publishing = yamls
		.flatMap(jobsOf)
		.filter((job) => job.permissions['id-token'] === 'write')
		.map(({ name }) => name);
	expect(publishing).toEqual(['publish']);
	expect(yamls.flatMap(installs)).toEqual([]);
});

it('a tag instead of a commit, and a global installation next to the right to publish, are found', () => {
	const yaml = `
permissions: { id-token: write }
jobs:
  publish:
    steps:
      - uses: actions/setup-node@v7
      - run: |
          npm install --global npm@11.5.1
          npm publish ./*.tgz
`;
	expect(unpinned(yaml)).toEqual(['actions/setup-node@v7']);
	expect(installs(yaml)).toEqual(['npm install --global npm@11.5.1']);
});
