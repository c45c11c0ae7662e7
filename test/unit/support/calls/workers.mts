import type { IExecuteFunctions } from 'n8n-workflow';
import { ProcessedData } from '../../../engine/support/calls/processedData.mts';

/** One node, on whichever worker. */
const PLACE = { workflow: { id: 'W' }, node: { id: 'N' } } as never;

/** An execution of a node on a worker that shares n8n's table with others, but not its memory. */
export function worker(name: string, table: ProcessedData): IExecuteFunctions {
	return {
		getWorkflow: () => ({ id: name }),
		getNode: () => ({ id: 'N' }),
		getContext: () => ({}),
		getExecutionId: () => name,
		getWorkflowDataProxy: () => ({}),
		logger: { debug: () => {} },
		helpers: {
			checkProcessedAndRecord: async (items: string[], _scope: string, options: never) =>
				await table.checkProcessedAndRecord(items, 'node', PLACE, options),
			removeProcessed: async (items: string[]) => await table.removeProcessed(items, 'node', PLACE),
		},
	} as unknown as IExecuteFunctions;
}

/** n8n's table, which takes a different time for each read and each write. */
export function slowTable(seed: number): ProcessedData {
	const table = new ProcessedData();
	// It has a row for the node: while there is none, only one of two workers can insert it.
	table.rows.set('W:n:N', []);
	let drawn = seed + 1;
	table.draw = () => (drawn = (drawn * 48_271) % 2_147_483_647) % 40;
	return table;
}

/** Lets the simulated time pass until the work is done. */
export async function whenDone<Result>(work: Promise<Result>): Promise<Result> {
	await jest.runAllTimersAsync();
	return await work;
}
