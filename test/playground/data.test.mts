import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { assertDataReadable, ownerLogin, reset } from '../../playground/setup/data.mts';
import { makeFolder } from '../../playground/setup/paths.mts';
import { temporaryFolder } from './support/start-command.mts';

let folder: ReturnType<typeof temporaryFolder>;
let printed: string[];

beforeEach(() => {
	folder = temporaryFolder();
	printed = [];
	jest.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => {
	jest.restoreAllMocks();
	folder.remove();
});

describe('the login', () => {
	it('is created once and stays the same', () => {
		const first = ownerLogin(folder.path);
		expect(ownerLogin(folder.path)).toEqual(first);
		expect(first.password).toMatch(/^(?=.*\d)(?=.*[A-Z]).{8,64}$/);
		expect(statSync(join(folder.path, 'login.json')).mode & 0o077).toBe(0);
	});

	it('is different in every playground', () => {
		const other = temporaryFolder();
		expect(ownerLogin(other.path).password).not.toBe(ownerLogin(folder.path).password);
		other.remove();
	});
});

describe('checking the data', () => {
	it('accepts an empty folder and a database that n8n has only just created', () => {
		assertDataReadable(folder.path);
		mkdirSync(join(folder.path, '.n8n'));
		writeFileSync(join(folder.path, '.n8n', 'database.sqlite'), '');
		assertDataReadable(folder.path);
	});

	it('rejects a folder in place of the database', () => {
		mkdirSync(join(folder.path, '.n8n', 'database.sqlite'), { recursive: true });
		expect(() => assertDataReadable(folder.path)).toThrow(/n8n's database .* is damaged/);
	});
});

describe('--reset', () => {
	it('lists what it deletes and leaves other files alone', () => {
		mkdirSync(join(folder.path, '.n8n'));
		const database = new DatabaseSync(join(folder.path, '.n8n', 'database.sqlite'));
		for (const table of [
			'workflow_entity',
			'credentials_entity',
			'execution_entity',
			'data_table',
		]) {
			database.exec(`CREATE TABLE ${table} (id); INSERT INTO ${table} VALUES (1)`);
		}
		database.exec('INSERT INTO workflow_entity VALUES (2)');
		database.close();
		writeFileSync(join(folder.path, 'login.json'), '{}');
		writeFileSync(join(folder.path, 'notes.txt'), 'mine');

		reset(folder.path);

		expect(printed).toEqual([
			`Deleting from ${folder.path}: n8n's database with 2 workflows, 1 credential, 1 execution, 1 data table, your login and the log.`,
		]);
		expect(existsSync(join(folder.path, '.n8n'))).toBe(false);
		expect(existsSync(join(folder.path, 'login.json'))).toBe(false);
		expect(readFileSync(join(folder.path, 'notes.txt'), 'utf8')).toBe('mine');
	});

	it('deletes a damaged database as well', () => {
		mkdirSync(join(folder.path, '.n8n'));
		writeFileSync(join(folder.path, '.n8n', 'database.sqlite'), 'no database');
		reset(folder.path);
		expect(printed[0]).toContain("n8n's database (not readable)");
		expect(existsSync(join(folder.path, '.n8n'))).toBe(false);
	});

	it('prints that there is nothing to delete', () => {
		reset(folder.path);
		expect(printed).toEqual([`Nothing to delete in ${folder.path}.`]);
	});
});

describe('creating a folder', () => {
	it('creates its parents too', () => {
		makeFolder(join(folder.path, 'a', 'b', 'c'));
		makeFolder(join(folder.path, 'a', 'b', 'c'));
		expect(statSync(join(folder.path, 'a', 'b', 'c')).isDirectory()).toBe(true);
	});

	it('fails right away if it is impossible, even where Node.js would try forever', () => {
		expect(() => makeFolder('/proc/playground/data')).toThrow('ENOENT');
	});
});
