import type { Sandbox } from '../../sandbox/index.mts';
import { OUTCOME_TABLE, type SampleResult } from '../demo/sample-check-call.mts';
import { FIRST_CALL_WORKFLOW, FIRST_WORKFLOW } from '../demo/examples.mts';
import type { Owner } from '../n8n/session.mts';
import { BOARD_LOGIN, TMS_KEY } from '../setup/import-examples.mts';
import { textIn } from '../n8n/rest.mts';
import { print, printStep, printTable } from './terminal.mts';

const HIDDEN_COLUMNS = ['createdAt', 'updatedAt'];

/** Prints the row that the sample check call ended in. */
export function printSampleResult({ row, dialed, executionUrl }: SampleResult): void {
	printStep(
		`Calls placed: ${dialed}. Outcome in the data table "${OUTCOME_TABLE}" (Home → Data tables):`,
	);
	print();
	const columns = Object.entries(row).filter(([column]) => !HIDDEN_COLUMNS.includes(column));
	const texts = columns.map(([column, value]) => [
		column,
		typeof value === 'boolean' ? String(value) : textIn(row, column),
	]);
	printTable(Object.fromEntries(texts.filter(([, text]) => text !== '')));
	print();
	print(`The execution that placed the call, in the node with the truck: ${executionUrl}`);
	print();
}

export function printReady(n8nUrl: string, sandbox: Sandbox, owner: Owner): void {
	const workflow = (id: string) => `${n8nUrl}/workflow/${id}`;
	print('Everything is up. Press Ctrl-C to stop.');
	print();
	print(`Start here: ${workflow(FIRST_WORKFLOW)}`);
	print('  1. Log in with the email and password below. The workflow opens.');
	print(
		'  2. Click "Execute workflow": it reads the newest bids and shows each as a message in "In words".',
	);
	print('     No phone rings.');
	print(`  3. Open ${workflow(FIRST_CALL_WORKFLOW)} and click "Execute workflow":`);
	print('     it places a call, waits until it has ended, and shows the result in "Result".');
	print('  4. Open the execution named above: it placed the sample check call of the TMS event.');
	print(`  5. Open ${sandbox.baseUrl} and click "Send the event": you are the TMS.`);
	print(
		'     The call appears there within a minute. At night, its time zone is one where it is day.',
	);
	print(
		'     In n8n, in Home → Data tables, its event is a row of "tms_events", and its outcome one',
	);
	print('     of "call_outcomes".');
	print(
		'The workflows are numbered in the order in which to try the others, with tags for what they do.',
	);
	print();
	printTable({
		'n8n editor': n8nUrl,
		email: owner.email,
		password: owner.password,
		'call board': `${n8nUrl}/webhook/call-board (${BOARD_LOGIN.user} / ${BOARD_LOGIN.password})`,
		'sandbox page': sandbox.baseUrl,
		'Base URL': sandbox.baseUrl,
		'Access Token': sandbox.tokens.north,
		'TMS event header': `${TMS_KEY.name}: ${TMS_KEY.value}`,
	});
	print();
}
