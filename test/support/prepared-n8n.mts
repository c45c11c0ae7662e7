import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { N8N_VARIABLE } from '../../playground/n8n/choice.mts';
import { type N8nOptions, type RunningN8n, startN8n } from '../../playground/n8n/n8n.mts';
import { n8nFolder, PLAYGROUND, ROOT } from '../../playground/setup/paths.mts';

/**
 * n8n 2.41 makes an isolate for each execution, webhook request and activation, even if no expression is evaluated
 * there, and compiles the same 480 kB in each. With these settings it makes one when it needs it, and compiles once.
 */
const FEWER_ISOLATES = {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
};

const RESOLVER = join(import.meta.dirname, 'resolved-modules.cjs');

/**
 * Starts n8n for a test: its REST API and webhooks, without editor, and without Code nodes unless asked for. A new
 * one begins where an n8n of the same version was after its first start: with its tables and the owner account.
 */
export async function startPreparedN8n(options: N8nOptions): Promise<RunningN8n> {
	const plain = { editor: false, codeNodes: false, ...options };
	const env: Record<string, string> = { ...FEWER_ISOLATES, ...options.env };
	if (isOtherN8n()) return await startN8n({ ...plain, env });
	const prepared = await preparedFolder();
	const data = join(options.userFolder, '.n8n');
	const usesSqlite = env['DB_TYPE'] === undefined;
	if (usesSqlite && !existsSync(data)) cpSync(join(prepared, 'data'), data, { recursive: true });
	return await startN8n({ ...plain, env: { ...knownModules(prepared), ...env } });
}

/** Another version of n8n (scripts/versions.mts), or one in a container. */
const isOtherN8n = () =>
	process.env['CARRIER_TEST_N8N'] !== undefined || process.env[N8N_VARIABLE] !== undefined;

/** The folder with that beginning, and with what is known of n8n's modules. It is made once, and kept. */
export async function preparedFolder(): Promise<string> {
	const cache = join(ROOT, 'node_modules', '.cache', 'prepared-n8n');
	const folder = join(cache, whatDecides());
	if (existsSync(folder)) return folder;
	mkdirSync(cache, { recursive: true });
	const userFolder = mkdtempSync(`${folder}-`);
	try {
		const env = knownModules(userFolder);
		const n8n = await startN8n({ userFolder, editor: false, codeNodes: false, env });
		try {
			await n8n.login();
		} finally {
			await n8n.stop();
		}
		keepData(userFolder);
		publish(userFolder, folder);
	} finally {
		rmSync(userFolder, { recursive: true, force: true });
	}
	return folder;
}

/** What finds n8n's modules (see resolved-modules.cjs) and their compiled code. */
function knownModules(prepared: string): Record<string, string> {
	return {
		NODE_COMPILE_CACHE: join(prepared, 'compiled'),
		NODE_OPTIONS: `--require "${RESOLVER}"`,
		RESOLVED_MODULES: join(prepared, 'modules.json'),
		RESOLVED_MODULES_IN: join(n8nFolder(), 'node_modules'),
	};
}

/** Removes the rest: n8n's log of events and of crashes. */
function keepData(userFolder: string): void {
	const data = join(userFolder, 'data');
	renameSync(join(userFolder, '.n8n'), data);
	const isKept = (name: string) => name === 'config' || name.startsWith('database.sqlite');
	for (const name of readdirSync(data).filter((each) => !isKept(each))) {
		rmSync(join(data, name), { recursive: true });
	}
}

/** Moves it to its place, unless another process was faster. */
function publish(made: string, folder: string): void {
	try {
		renameSync(made, folder);
	} catch (error) {
		if (!existsSync(folder)) throw error;
	}
}

/** A hash of n8n's packages and of the sources that say how n8n is started and who owns it. */
function whatDecides(): string {
	const hash = createHash('sha256');
	const sources = ['n8n.mts', 'session.mts'].map((name) => join(PLAYGROUND, 'n8n', name));
	const packages = join(n8nFolder(), 'package-lock.json');
	for (const file of [packages, RESOLVER, ...sources]) hash.update(readFileSync(file));
	return hash.digest('hex').slice(0, 16);
}
