import type { Sandbox } from '../../sandbox/index.mts';
import { type JobResult, OUTCOME_TABLE } from '../demo/main-job.mts';
import { textIn } from '../n8n/rest.mts';
import type { Owner } from '../n8n/owner.mts';
import { pairs, say, step } from './terminal.mts';

const HIDDEN_COLUMNS = ['createdAt', 'updatedAt'];

/** The row that the main job ended in. */
export function showJob({ row, dialed }: JobResult): void {
	step(`Calls dialed for it: ${dialed}. The outcome, in the data table "${OUTCOME_TABLE}":`);
	say();
	const columns = Object.keys(row).filter((column) => !HIDDEN_COLUMNS.includes(column));
	pairs(Object.fromEntries(columns.map((column) => [column, textIn(row, column)])));
	say();
}

export function showAddresses(editor: string, sandbox: Sandbox, owner: Owner): void {
	say('Everything is up. Ctrl-C stops it.');
	say();
	pairs({
		editor,
		email: owner.email,
		password: owner.password,
		sandbox: sandbox.baseUrl,
		'sandbox token': sandbox.tokens.north,
	});
	say();
}

export function showSandbox(sandbox: Sandbox): void {
	say('The sandbox is up. Ctrl-C stops it. "npm run sandbox -- --help" lists what else it can do.');
	say();
	pairs({
		'Base URL': sandbox.baseUrl,
		'Access Token': sandbox.tokens.north,
		"another organization's": sandbox.tokens.south,
	});
	say();
}
