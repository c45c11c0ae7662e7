import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isRecord, recordsIn, textIn } from '../n8n/rest.mts';
import type { TableToCreate, WorkflowToCreate } from '../n8n/session.mts';
import { EXAMPLES } from '../setup/paths.mts';
import { Problem, textOf } from '../process/problem.mts';

/** An importable workflow. Its `id` is fixed, so that it is known again when a user renames it. */
export interface Example extends WorkflowToCreate {
	id: string;
	file: string;
	/** Whether the playground activates it when it creates it. */
	active: boolean;
}

const COLUMN_TYPES = ['string', 'number', 'boolean', 'date'] as const;

/**
 * All workflows of examples/*.json.
 * @throws Problem naming the file that is no importable workflow
 */
export function exampleWorkflows(folder: string = EXAMPLES): Example[] {
	return jsonFiles(folder).map((path) => {
		const content = readObject(path);
		const { id, name, nodes, connections, settings } = content;
		if (typeof id !== 'string' || typeof name !== 'string' || !isRecord(connections)) {
			throw new Problem(`${path} is no workflow: it needs "id", "name", "nodes" and "connections"`);
		}
		return {
			file: basename(path),
			id,
			name,
			nodes: recordsIn(nodes),
			connections,
			settings: isRecord(settings) ? settings : {},
			active: content['active'] === true,
		};
	});
}

/**
 * The data tables that the examples read and write, with their first rows: examples/data-tables/*.json.
 * @throws Problem naming the file that describes no table
 */
export function exampleTables(folder: string = join(EXAMPLES, 'data-tables')): TableToCreate[] {
	return jsonFiles(folder).map((path) => {
		const content = readObject(path);
		const columns = recordsIn(content['columns']).map((column) => {
			const type = COLUMN_TYPES.find((one) => one === column['type']);
			if (type === undefined)
				throw new Problem(`${path}: a column needs one of the types ${COLUMN_TYPES.join(', ')}`);
			return { name: textIn(column, 'name'), type };
		});
		const name = textIn(content, 'name');
		if (name === '' || columns.length === 0) {
			throw new Problem(`${path} is no data table: it needs "name" and "columns"`);
		}
		return { name, columns, rows: recordsIn(content['rows']) };
	});
}

function jsonFiles(folder: string): string[] {
	try {
		return readdirSync(folder)
			.filter((file) => file.endsWith('.json'))
			.sort()
			.map((file) => join(folder, file));
	} catch (error) {
		throw new Problem(
			`${folder} cannot be read (${textOf(error)}): check out the repository whole`,
		);
	}
}

function readObject(path: string): Record<string, unknown> {
	try {
		const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
		if (isRecord(content)) return content;
	} catch (error) {
		throw new Problem(`${path} is not readable as JSON (${textOf(error)}): mend the file`);
	}
	throw new Problem(`${path} holds no JSON object: mend the file`);
}
