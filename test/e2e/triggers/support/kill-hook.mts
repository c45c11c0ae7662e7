import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { n8nFolder } from '../../../../playground/setup/paths.mts';

/** Moments in n8n 2.41's work on one event, in this order. */
export type Moment =
	| 'before the execution is stored'
	| 'before the memory is saved'
	| 'before the response is sent';

/** n8n stores the execution, and then its database fails once. */
const FAIL = 'fail after the execution is stored';

/** n8n loads this file before it listens. It kills n8n, or fails, at the moment that a file names. */
const SOURCE = (folder: string, order: string) => `
const { readFileSync, writeFileSync } = require('node:fs');
const n8n = require('node:module').createRequire(${JSON.stringify(join(folder, 'node_modules', 'n8n', 'package.json'))});
const { WorkflowRunner } = n8n('./dist/workflow-runner.js');
const { ExecutionRepository } = n8n('@n8n/db');
const { WorkflowStaticDataService } = n8n('./dist/workflows/workflow-static-data.service.js');
const dieAt = (moment) => {
	if (readFileSync(${JSON.stringify(order)}, 'utf8') === moment) process.kill(process.pid, 'SIGKILL');
};
const { run } = WorkflowRunner.prototype;
WorkflowRunner.prototype.run = async function (...given) {
	dieAt('before the execution is stored');
	return await run.apply(this, given);
};
const { setRunning } = ExecutionRepository.prototype;
ExecutionRepository.prototype.setRunning = async function (...given) {
	if (readFileSync(${JSON.stringify(order)}, 'utf8') !== ${JSON.stringify(FAIL)}) return await setRunning.apply(this, given);
	writeFileSync(${JSON.stringify(order)}, 'never');
	throw new Error('SQLITE_BUSY: database is locked');
};
const { saveStaticDataById } = WorkflowStaticDataService.prototype;
WorkflowStaticDataService.prototype.saveStaticDataById = async function (...given) {
	dieAt('before the memory is saved');
	await saveStaticDataById.apply(this, given);
	dieAt('before the response is sent');
};
module.exports = {};
`;

/** A hook file for n8n (EXTERNAL_HOOK_FILES) that can be told when to kill it, or to fail once. */
export function createKillHook() {
	const folder = mkdtempSync(join(tmpdir(), 'kill-hook-'));
	const file = join(folder, 'hook.js');
	const order = join(folder, 'order');
	writeFileSync(file, SOURCE(n8nFolder(), order));
	const killAt = (moment: Moment | 'never') => writeFileSync(order, moment);
	killAt('never');
	const failOnce = () => writeFileSync(order, FAIL);
	return { file, killAt, failOnce, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
