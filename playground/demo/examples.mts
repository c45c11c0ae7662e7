import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { errorMessage, UserError } from '../cli/terminal.mts';
import { isRecord, recordsIn, textIn } from '../n8n/rest.mts';
import type { TableToCreate, WorkflowToCreate } from '../n8n/session.mts';
import { EXAMPLES } from '../setup/paths.mts';

const TABLES = 'data-tables';

/** An importable workflow. Its `id` is fixed, so it is still found after a user renames it. */
export interface Example extends WorkflowToCreate {
	id: string;
	/** Path in examples/. */
	file: string;
	description: string;
	/** Whether the playground activates it when it creates it. */
	active: boolean;
}

const COLUMN_TYPES = ['string', 'number', 'boolean', 'date'] as const;

/**
 * All workflows in examples/ and its subfolders, except data-tables/.
 * @throws UserError that names the file that isn't an importable workflow
 */
export function exampleWorkflows(folder: string = EXAMPLES): Example[] {
	const files = jsonFiles(folder).filter((path) => !path.startsWith(join(folder, TABLES)));
	return files.map((path) => {
		const content = readObject(path);
		const { id, name, description, nodes, connections, settings } = content;
		if (typeof id !== 'string' || typeof name !== 'string' || !isRecord(connections)) {
			throw new UserError(
				`${path} is not a workflow: it needs "id", "name", "nodes" and "connections".`,
			);
		}
		return {
			file: relative(folder, path),
			id,
			name,
			description: typeof description === 'string' ? description : '',
			nodes: recordsIn(nodes),
			connections,
			settings: isRecord(settings) ? settings : {},
			active: content['active'] === true,
		};
	});
}

/**
 * The data tables that the examples read and write, with their first rows: examples/data-tables/ and its folders.
 * @throws UserError that names the file that doesn't describe a table
 */
export function exampleTables(folder: string = join(EXAMPLES, TABLES)): TableToCreate[] {
	return jsonFiles(folder).map((path) => {
		const content = readObject(path);
		const columns = recordsIn(content['columns']).map((column) => {
			const type = COLUMN_TYPES.find((one) => one === column['type']);
			if (type === undefined)
				throw new UserError(
					`${path}: the type of a column must be one of ${COLUMN_TYPES.join(', ')}.`,
				);
			return { name: textIn(column, 'name'), type };
		});
		const name = textIn(content, 'name');
		if (name === '' || columns.length === 0) {
			throw new UserError(`${path} is not a data table: it needs "name" and "columns".`);
		}
		return { name, columns, rows: recordsIn(content['rows']) };
	});
}

function jsonFiles(folder: string): string[] {
	if (!existsSync(folder)) {
		throw new UserError(`${folder} is missing. Check out the whole repository.`);
	}
	const files = globSync('**/*.json', { cwd: folder }).sort();
	return files.map((file) => join(folder, file));
}

function readObject(path: string): Record<string, unknown> {
	try {
		const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
		if (isRecord(content)) return content;
	} catch (error) {
		throw new UserError(`${path} is not valid JSON (${errorMessage(error)}). Fix the file.`);
	}
	throw new UserError(`${path} does not contain a JSON object. Fix the file.`);
}

/** The workflows of the sample check call, by the IDs in their files in examples/. */
export const CALLING_WORKFLOW = 'tmsEventToCheckCall';
export const OUTCOME_WORKFLOW = 'callOutcomeToTable';
/** Where the TMS sends its events; the calling workflow works them off. */
export const INBOX_WORKFLOW = 'tmsInbox';

/** What a newcomer opens first: it calls no one, and shows the newest bids at a click. */
export const FIRST_WORKFLOW = 'newBidsToTable';
/** The first one that calls: it runs at a click and shows a call on the canvas. */
export const FIRST_CALL_WORKFLOW = 'firstCall';

const OUTCOMES = '3 Outcomes to';
const JOBS = '4 Jobs';
const AI = '5 AI';

/** What a newcomer opens, in order, by tag. The tags are numbered because n8n sorts them by name. */
const ORDER: [tag: string, ids: string[]][] = [
	[
		'1 Start',
		[
			// The first calls no one, and neither does the second as a dry run.
			...[FIRST_WORKFLOW, 'checkCallsDaily', FIRST_CALL_WORKFLOW],
			...[INBOX_WORKFLOW, CALLING_WORKFLOW, OUTCOME_WORKFLOW, 'createTheTables'],
		],
	],
	[
		'2 From your loads',
		['checkCallsFromAFile', 'checkCallsFromAGoogleSheet', 'tmsPayloads', 'tmsExports'],
	],
	[OUTCOMES, ['callBoard', 'yesterdaysReport', 'recordingArchive', 'outcomeToTms']],
	[JOBS, ['laneToCarriers', 'noAnswerLadder', 'detentionClock']],
	[AI, []],
];

/** By the folder of those that are in no list. */
const TAG_OF_FOLDER: Record<string, string> = { agent: AI, destinations: OUTCOMES };

/** The examples in the order to try them, each with its tag and a name that says its place: "2 · …". */
export function numbered(examples: Example[]): Example[] {
	const tagged = ORDER.flatMap(([tag, ids]) => {
		const listed = ids.flatMap((id) => examples.filter((example) => example.id === id));
		const others = examples.filter(
			(example) => tagOf(example) === tag && !ids.includes(example.id),
		);
		return [...listed, ...others].map((example) => ({ ...example, tags: [tag] }));
	});
	return tagged.map((example, index) => ({
		...example,
		name: `${index + 1} · ${index === 0 ? 'Start here: ' : ''}${example.name}`,
	}));
}

function tagOf({ id, file }: Example): string {
	const [listed] = ORDER.find(([, ids]) => ids.includes(id)) ?? [];
	const [folder = ''] = file.split('/');
	return listed ?? TAG_OF_FOLDER[folder] ?? JOBS;
}
