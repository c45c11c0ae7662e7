import { randomBytes } from 'node:crypto';
import {
	accessSync,
	closeSync,
	constants,
	existsSync,
	openSync,
	readFileSync,
	readSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode, errorMessage, print, UserError } from '../cli/terminal.mts';
import { isRecord, N8nApiError, textIn } from '../n8n/rest.mts';
import type { Owner } from '../n8n/session.mts';
import { makeFolder } from './paths.mts';

/** What --reset deletes: everything n8n and the playground keep. Other files in the folder stay. */
const DATA_FILES = ['.n8n', '.n8n-files', '.cache', 'login.json', 'n8n-start.log'];
const RESET = 'run "npm start -- --reset" to delete all playground data and start fresh';

/** @throws UserError when the data folder can't be created or written */
export function makeDataFolder(folder: string): void {
	try {
		makeFolder(folder);
		accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
	} catch (error) {
		throw new UserError(
			`The data folder ${folder} cannot be used (${errorCode(error) ?? errorMessage(error)}). Remove what is in its place, or check who owns it.`,
		);
	}
}

/**
 * Checks the data as far as possible before n8n opens it.
 * @throws UserError that names the damaged file
 */
export function assertDataReadable(folder: string): void {
	const config = join(folder, '.n8n', 'config');
	if (existsSync(config) && textIn(readJson(config), 'encryptionKey') === '') {
		throw new UserError(`n8n's encryption key ${config} is damaged. Restore a copy, or ${RESET}.`);
	}
	const database = databaseFile(folder);
	if (existsSync(database) && !isSqliteFile(database)) {
		throw new UserError(`n8n's database ${database} is damaged. Restore a copy, or ${RESET}.`);
	}
}

/** The owner's login, created once and kept in the data folder, readable by this user only. */
export function ownerLogin(folder: string): Owner {
	const file = loginFile(folder);
	if (!existsSync(file)) return createLogin(folder, file);
	const login = readJson(file);
	const email = textIn(login, 'email');
	const password = textIn(login, 'password');
	if (email !== '' && password !== '') return { ...OWNER_NAME, email, password };
	throw new UserError(`The n8n login ${file} is damaged. Restore a copy, or ${RESET}.`);
}

export function loginFile(folder: string): string {
	return join(folder, 'login.json');
}

/** Whether there is anything to lose. */
function hasData(folder: string): boolean {
	return DATA_FILES.some((name) => existsSync(join(folder, name)));
}

/** Deletes everything n8n and the playground keep in the folder. */
function deleteData(folder: string): void {
	try {
		for (const name of DATA_FILES) rmSync(join(folder, name), { recursive: true, force: true });
	} catch (error) {
		throw new UserError(
			`${folder} could not be deleted (${errorMessage(error)}). Delete it by hand.`,
		);
	}
}

function databaseFile(folder: string): string {
	return join(folder, '.n8n', 'database.sqlite');
}

const OWNER_NAME = { firstName: 'Pat', lastName: 'Dispatcher' };

function createLogin(folder: string, file: string): Owner {
	if (existsSync(databaseFile(folder))) {
		throw new UserError(`The n8n login ${file} is missing. Restore a copy, or ${RESET}.`);
	}
	// n8n requires 8 characters with a digit and a capital letter.
	const password = `Load-${randomBytes(9).toString('base64url')}-7`;
	const login = { email: 'dispatcher@playground.example', password };
	writeFileSync(file, `${JSON.stringify(login, undefined, '\t')}\n`, { mode: 0o600 });
	return { ...OWNER_NAME, ...login };
}

function readJson(file: string): unknown {
	try {
		const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
		return isRecord(content) ? content : undefined;
	} catch {
		return undefined;
	}
}

function isSqliteFile(file: string): boolean {
	if (!statSync(file).isFile()) return false;
	// n8n creates the file before it writes to it: an empty one is a database never used.
	if (statSync(file).size === 0) return true;
	const start = Buffer.alloc(16);
	const handle = openSync(file, 'r');
	readSync(handle, start, 0, 16, 0);
	closeSync(handle);
	return start.toString('latin1') === 'SQLite format 3\0';
}

/** The error of a failed start, or, if n8n's data caused it, one that says so and what to do. */
export function explainDataError(error: unknown, data: string): unknown {
	const damage = /SQLITE_\w+[^")]*|[^("]*encryption key[^")]*/.exec(errorMessage(error))?.[0];
	if (damage === undefined) return error;
	return new UserError(
		`n8n cannot use its data in ${data} (${damage}). Restore a copy, or run "npm start -- --reset" to delete all playground data and start fresh.`,
	);
}

/** The error of a failed login, or, if the stored login caused it, one that says so and what to do. */
export function explainLoginError(error: unknown, file: string): unknown {
	if (!(error instanceof N8nApiError) || error.status !== 401) return error;
	return new UserError(
		`n8n rejects the login in ${file}. If you changed your password in n8n, enter it in that file. Or run "npm start -- --reset" to delete all playground data and start fresh.`,
	);
}

const COUNTED_TABLES = {
	workflow: 'workflow_entity',
	credential: 'credentials_entity',
	execution: 'execution_entity',
	'data table': 'data_table',
};

/** Prints what is in the data folder, then deletes it. Requires the folder's lock. */
export function reset(folder: string): void {
	if (!hasData(folder)) {
		print(`Nothing to delete in ${folder}.`);
		return;
	}
	print(`Deleting from ${folder}: ${describeData(folder)}, your login and the log.`);
	deleteData(folder);
}

/** "n8n's database with 3 workflows, 1 credential, …", as far as the database can be read. */
function describeData(folder: string): string {
	const file = databaseFile(folder);
	if (!existsSync(file)) return 'no database';
	try {
		const database = new DatabaseSync(file, { readOnly: true });
		const counts = Object.entries(COUNTED_TABLES).map(([name, table]) => {
			const row = database.prepare(`SELECT count(*) AS n FROM "${table}"`).get();
			const count = Number(row?.['n'] ?? 0);
			return `${count} ${name}${count === 1 ? '' : 's'}`;
		});
		database.close();
		return `n8n's database with ${counts.join(', ')}`;
	} catch {
		return "n8n's database (not readable)";
	}
}
