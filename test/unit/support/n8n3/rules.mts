import { execFileSync } from 'node:child_process';
import {
	existsSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { errorMessage, UserError } from '../../../../playground/cli/terminal.mts';
import type { Example } from '../../../../playground/demo/examples.mts';
import { isRecord, recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import { isInstalled } from '../../../../playground/setup/install/install.mts';
import { registryOf } from '../../../../playground/setup/install/npm.mts';
import {
	download,
	filesIn,
	packagesToUnpack,
	readLockfile,
} from '../../../../playground/setup/install/packages.mts';
import {
	lockfileHash,
	n8nFolder,
	PACKAGE_NAME,
	PLAYGROUND,
	ROOT,
} from '../../../../playground/setup/paths.mts';

type Workflow = Pick<Example, 'name' | 'nodes'> & Partial<Pick<Example, 'settings'>>;

const RUNNER = join(import.meta.dirname, 'run-rules.mjs');

/**
 * Runs n8n's own rules for 3.0 over workflows. Returns the IDs of the rules, and the findings of each workflow.
 * @throws UserError when n8n isn't installed, and its rules can't be downloaded either
 */
export async function findingsForN8n3(
	workflows: Workflow[],
): Promise<{ rules: string[]; findings: string[][] }> {
	const complete = workflows.map((one) => ({ settings: {}, ...one }));
	const input = JSON.stringify({ folder: await folderOfRules(), workflows: complete });
	const output = execFileSync('node', [RUNNER], { input, encoding: 'utf8', timeout: 120_000 });
	const read: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? '');
	if (!isRecord(read)) throw new Error(output);
	return { rules: read['rules'] as string[], findings: read['findings'] as string[][] };
}

/** What the rules need of n8n, by package: the rules, and the outputs of its nodes. */
const NEEDED = {
	n8n: 'dist/modules/breaking-changes/**/*.js',
	'n8n-nodes-base': 'dist/types/nodes.json',
	'@n8n/n8n-nodes-langchain': 'dist/types/nodes.json',
};

type PackageName = keyof typeof NEEDED;
const PACKAGES = Object.keys(NEEDED) as PackageName[];

/** Below node_modules, where the rules find the packages that they import: those that n8n-core brings. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'n8n-rules');

/** The folder with the rules of the n8n that npm start runs. It is made once, and kept. */
async function folderOfRules(): Promise<string> {
	const folder = join(CACHE, lockfileHash());
	if (existsSync(folder)) return folder;
	mkdirSync(CACHE, { recursive: true });
	const made = mkdtempSync(`${folder}-`);
	try {
		const files = isInstalled(n8nFolder()) ? installedFiles : await downloadedFiles();
		write(made, files);
		renameSync(made, folder);
	} catch (error) {
		// Another process was faster.
		if (!existsSync(folder)) throw error;
	} finally {
		rmSync(made, { recursive: true, force: true });
	}
	return folder;
}

type FilesOf = (name: PackageName) => { path: string; content: string }[];

function write(folder: string, filesOf: FilesOf): void {
	for (const { path, content } of filesOf('n8n')) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
	// All of n8n that a rule imports besides; run-rules.mjs says what it answers.
	writeFileSync(join(folder, 'dist', 'node-types.js'), 'exports.NodeTypes = class NodeTypes {};\n');
	writeFileSync(join(folder, 'outputs.json'), JSON.stringify(outputs(filesOf)));
}

/** How many outputs each version of a node has, as its description says. */
function outputs(filesOf: FilesOf): Record<string, unknown> {
	const ofN8n = (['n8n-nodes-base', '@n8n/n8n-nodes-langchain'] as const).flatMap((name) =>
		filesOf(name).flatMap(({ content }) =>
			recordsIn(JSON.parse(content)).flatMap((node) =>
				[node['version']]
					.flat()
					.map((version) => [`${name}.${textIn(node, 'name')} ${version}`, node['outputs']]),
			),
		),
	);
	return Object.fromEntries([...ofN8n, [`${PACKAGE_NAME}.carrierLoadCommunications 1`, ['main']]]);
}

const installedFiles: FilesOf = (name) => {
	const cwd = join(n8nFolder(), 'node_modules', name);
	return globSync(NEEDED[name], { cwd }).map((path) => ({
		path,
		content: readFileSync(join(cwd, path), 'utf8'),
	}));
};

/** From the packages alone, without what they depend on: 18 MB instead of 2.2 GB. */
async function downloadedFiles(): Promise<FilesOf> {
	try {
		const { url } = await registryOf(PLAYGROUND);
		const all = packagesToUnpack(readLockfile(PLAYGROUND), url);
		const downloads = PACKAGES.map(async (name) => {
			const found = all.find(({ paths }) => paths.includes(`node_modules/${name}`));
			if (found === undefined) throw new Error(`the lockfile has no ${name}`);
			const files = await filesIn(gunzipSync(await download(found.url, found.integrity)));
			return [name, files] as const;
		});
		const downloaded = new Map(await Promise.all(downloads));
		return (name) =>
			(downloaded.get(name) ?? [])
				.filter(({ path }) => matchesGlob(path, NEEDED[name]))
				.map(({ path, content }) => ({ path, content: Buffer.from(content).toString('utf8') }));
	} catch (error) {
		throw new UserError(
			`n8n's rules for 3.0 come with n8n, which isn't installed and can't be downloaded (${errorMessage(error)}). Go online, or run "npm start -- --install-only", and try again.`,
		);
	}
}
