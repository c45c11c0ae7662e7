import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile, deleteData, hasData } from './data.mts';
import { print } from '../cli/terminal.mts';

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
