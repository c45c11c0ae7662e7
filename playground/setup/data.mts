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
import { isRecord, textIn } from '../n8n/rest.mts';
import type { Owner } from '../n8n/owner.mts';
import { errorCode, UserError, errorMessage } from '../process/user-error.mts';
import { makeFolder } from './folders.mts';

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
export function hasData(folder: string): boolean {
	return DATA_FILES.some((name) => existsSync(join(folder, name)));
}

/** Deletes everything n8n and the playground keep in the folder. */
export function deleteData(folder: string): void {
	try {
		for (const name of DATA_FILES) rmSync(join(folder, name), { recursive: true, force: true });
	} catch (error) {
		throw new UserError(
			`${folder} could not be deleted (${errorMessage(error)}). Delete it by hand.`,
		);
	}
}

export function databaseFile(folder: string): string {
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
