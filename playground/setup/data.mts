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
import { codeOf, Problem, textOf } from '../process/problem.mts';
import { makeFolder } from './folders.mts';

/** What --reset deletes: all that n8n and the playground keep. Nothing else in the folder is touched. */
const KEPT = ['.n8n', '.n8n-files', '.cache', 'login.json', 'n8n-start.log'];
const RESET = '"npm start -- --reset" makes a fresh one and deletes what is in it';

/** @throws Problem when the data folder cannot be made or written */
export function makeDataFolder(folder: string): void {
	try {
		makeFolder(folder);
		accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
	} catch (error) {
		throw new Problem(
			`${folder}, where the playground keeps its data, cannot be used (${codeOf(error) ?? textOf(error)}): remove what is in its place, or give it to your user`,
		);
	}
}

/**
 * Checks what can be checked of the data before n8n meets it.
 * @throws Problem naming the file that is damaged
 */
export function checkData(folder: string): void {
	const config = join(folder, '.n8n', 'config');
	if (existsSync(config) && textIn(readJson(config), 'encryptionKey') === '') {
		throw new Problem(`${config}, n8n's key, is damaged: put a copy back, or ${RESET}`);
	}
	const database = databaseIn(folder);
	if (existsSync(database) && !looksLikeSqlite(database)) {
		throw new Problem(`${database}, n8n's database, is damaged: put a copy back, or ${RESET}`);
	}
}

/** The owner's login, made once and kept in the data folder, readable by its user only. */
export function ownerLogin(folder: string): Owner {
	const file = loginFile(folder);
	if (!existsSync(file)) return makeLogin(folder, file);
	const login = readJson(file);
	const email = textIn(login, 'email');
	const password = textIn(login, 'password');
	if (email !== '' && password !== '') return { ...NAMED, email, password };
	throw new Problem(`${file}, the login for n8n, is damaged: put a copy back, or ${RESET}`);
}

export function loginFile(folder: string): string {
	return join(folder, 'login.json');
}

/** Whether there is anything to lose. */
export function hasData(folder: string): boolean {
	return KEPT.some((name) => existsSync(join(folder, name)));
}

/** Deletes what n8n and the playground keep in the folder. */
export function deleteData(folder: string): void {
	try {
		for (const name of KEPT) rmSync(join(folder, name), { recursive: true, force: true });
	} catch (error) {
		throw new Problem(`${folder} could not be deleted (${textOf(error)}): delete it by hand`);
	}
}

export function databaseIn(folder: string): string {
	return join(folder, '.n8n', 'database.sqlite');
}

const NAMED = { firstName: 'Pat', lastName: 'Dispatcher' };

function makeLogin(folder: string, file: string): Owner {
	if (existsSync(databaseIn(folder))) {
		throw new Problem(`${file}, the login for n8n, is missing: put a copy back, or ${RESET}`);
	}
	// n8n asks for 8 characters with a digit and a capital letter.
	const password = `Load-${randomBytes(9).toString('base64url')}-7`;
	const login = { email: 'dispatcher@playground.example', password };
	writeFileSync(file, `${JSON.stringify(login, undefined, '\t')}\n`, { mode: 0o600 });
	return { ...NAMED, ...login };
}

function readJson(file: string): unknown {
	try {
		const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
		return isRecord(content) ? content : undefined;
	} catch {
		return undefined;
	}
}

function looksLikeSqlite(file: string): boolean {
	if (!statSync(file).isFile()) return false;
	// n8n makes the file before it writes into it: an empty one is a database that never was.
	if (statSync(file).size === 0) return true;
	const start = Buffer.alloc(16);
	const handle = openSync(file, 'r');
	readSync(handle, start, 0, 16, 0);
	closeSync(handle);
	return start.toString('latin1') === 'SQLite format 3\0';
}
