import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databaseIn, deleteData, hasData } from './data.mts';
import { say } from '../cli/terminal.mts';

const COUNTED = {
	workflow: 'workflow_entity',
	credential: 'credentials_entity',
	execution: 'execution_entity',
	'data table': 'data_table',
};

/** Says what is in the data folder, and deletes it. Only for who holds the folder alone. */
export function reset(folder: string): void {
	if (!hasData(folder)) {
		say(`${folder} is empty: nothing to delete.`);
		return;
	}
	say(`Deleting what is in ${folder}: ${content(folder)}, the login and the log.`);
	deleteData(folder);
}

/** "3 workflows, 1 credential, 12 executions, 1 data table", as far as the database can be read. */
function content(folder: string): string {
	const file = databaseIn(folder);
	if (!existsSync(file)) return 'no database';
	try {
		const database = new DatabaseSync(file, { readOnly: true });
		const counts = Object.entries(COUNTED).map(([name, table]) => {
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
