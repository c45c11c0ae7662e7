import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IExecuteFunctions } from 'n8n-workflow';

/** What the probe does with n8n's table of processed data. */
export type Operation = { record: string[]; max?: number } | { remove: string[] };

/** The result: the entries that were there before, or that n8n refused it. */
export type Outcome = string[] | 'refused';

/** A node that does as its item says: step after step, the operations of one step at the same time. */
const SOURCE = `
class ProcessedProbe {
	description = {
		displayName: 'Processed Probe', name: 'processedProbe', group: ['transform'], version: 1,
		description: 'Shows what n8n does with its table of processed data',
		defaults: { name: 'Processed Probe' }, inputs: ['main'], outputs: ['main'], properties: [],
	};
	async execute() {
		const { checkProcessedAndRecord, removeProcessed } = this.helpers;
		const one = async ({ record, remove, max }) => {
			const options = { mode: 'entries', maxEntries: max ?? 50000 };
			try {
				if (remove) await removeProcessed(remove, 'node', options);
				return record ? (await checkProcessedAndRecord(record, 'node', options)).processed : [];
			} catch {
				return 'refused';
			}
		};
		const outcomes = [];
		for (const step of this.getInputData()[0].json.body.steps) {
			outcomes.push(await Promise.all(step.map(one)));
		}
		return [[{ json: { outcomes } }]];
	}
}
module.exports = { ProcessedProbe };
`;

export interface ProcessedProbe {
	execute(this: Pick<IExecuteFunctions, 'helpers' | 'getInputData'>): Promise<Result>;
}
type Result = Array<Array<{ json: { outcomes: Outcome[][] } }>>;

/** Writes the probe into a folder from which n8n loads it (N8N_CUSTOM_EXTENSIONS). */
export function createProcessedProbe(folder: string): ProcessedProbe {
	const file = join(folder, 'ProcessedProbe.node.js');
	writeFileSync(file, SOURCE);
	const { ProcessedProbe: Probe } = createRequire(file)(file) as {
		ProcessedProbe: new () => ProcessedProbe;
	};
	return new Probe();
}
