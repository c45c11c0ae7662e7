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

/**
 * Starts n8n for a test: its REST API and webhooks, without editor, and without Code nodes unless asked for. A new
 * one begins where an n8n of the same version was after its first start: with its tables and the owner account.
 */
export async function startPreparedN8n(options: N8nOptions): Promise<RunningN8n> {
	const data = join(options.userFolder, '.n8n');
	// Another version of n8n (scripts/versions.mts) is started once or twice.
	const isOther = process.env['CARRIER_TEST_N8N'] !== undefined;
	const usesSqlite = options.env?.['DB_TYPE'] === undefined;
	if (usesSqlite && !isOther && !existsSync(data)) {
		cpSync(await preparedData(), data, { recursive: true });
	}
	const env = { ...FEWER_ISOLATES, ...options.env };
	return await startN8n({ editor: false, codeNodes: false, ...options, env });
}

/** The folder with that beginning. It is made once, and kept. */
export async function preparedData(): Promise<string> {
	const cache = join(ROOT, 'node_modules', '.cache', 'prepared-n8n');
	const folder = join(cache, whatDecides());
	if (existsSync(folder)) return folder;
	mkdirSync(cache, { recursive: true });
	const userFolder = mkdtempSync(`${folder}-`);
	try {
		const n8n = await startN8n({ userFolder, editor: false, codeNodes: false });
		try {
			await n8n.login();
		} finally {
			await n8n.stop();
		}
		publish(join(userFolder, '.n8n'), folder);
	} finally {
		rmSync(userFolder, { recursive: true, force: true });
	}
	return folder;
}

/** Moves it to its place, unless another process was faster. */
function publish(data: string, folder: string): void {
	// The rest is n8n's log of events and of crashes.
	const isKept = (name: string) => name === 'config' || name.startsWith('database.sqlite');
	for (const name of readdirSync(data).filter((each) => !isKept(each))) {
		rmSync(join(data, name), { recursive: true });
	}
	try {
		renameSync(data, folder);
	} catch (error) {
		if (!existsSync(folder)) throw error;
	}
}

/** A hash of n8n's version and of the sources that say how n8n is started and who owns it. */
function whatDecides(): string {
	const hash = createHash('sha256');
	const sources = ['environment.mts', 'n8n.mts', 'owner.mts'];
	hash.update(readFileSync(join(n8nFolder(), 'node_modules', 'n8n', 'package.json')));
	for (const name of sources) hash.update(readFileSync(join(PLAYGROUND, 'n8n', name)));
	return hash.digest('hex').slice(0, 16);
}
