import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { recordsIn } from '../../../../playground/n8n/rest.mts';
import type { ExamplesEnvironment } from './examples-environment.mts';

const DAY_MS = 86_400_000;

/** Makes the rows of a load as old as if they had been created days ago, which n8n's API can't do. */
export async function age(
	{ session, userFolder }: ExamplesEnvironment,
	table: string,
	loadNumber: string,
	days: number,
): Promise<void> {
	const found = (await session.dataTables()).find(({ name }) => name === table);
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'));
	database.exec('PRAGMA busy_timeout = 10000');
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	const [stored] = recordsIn({ tables }, 'tables').filter(({ name }) =>
		String(name).endsWith(`data_table_user_${String(found?.['id'])}`),
	);
	const at = new Date(Date.now() - days * DAY_MS).toISOString().replace('T', ' ').replace('Z', '');
	const changed = database
		.prepare(
			`UPDATE "${String(stored?.['name'])}" SET "createdAt" = ?, "updatedAt" = ? WHERE "loadNumber" = ?`,
		)
		.run(at, at, loadNumber);
	database.close();
	if (changed.changes === 0) throw new Error(`${table} has no row of load ${loadNumber}`);
}
