import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import { npmCommand, npmEnvironment } from '../../../playground/setup/install/npm.mts';
import type { Release } from './registry.mts';

/** What makes the items of these nodes say which version of the package they come from. */
const saysItsVersion = (version: string): Record<string, string> => ({
	CarrierLoadCommunications: `
const Last = exports.CarrierLoadCommunications;
exports.CarrierLoadCommunications = class extends Last {
	constructor() {
		super();
		const { execute } = this;
		this.execute = async function () {
			const outputs = await execute.call(this);
			for (const { json } of outputs.flat()) json.version = '${version}';
			return outputs;
		};
	}
};
`,
	CarrierLoadCommunicationsPollingTrigger: `
const { poll } = exports.CarrierLoadCommunicationsPollingTrigger.prototype;
exports.CarrierLoadCommunicationsPollingTrigger.prototype.poll = async function () {
	const outputs = await poll.call(this);
	for (const { json } of outputs?.flat() ?? []) json.version = '${version}';
	return outputs;
};
`,
});

/** The next version of a package: the same, but its items say which version they come from. */
export function nextRelease(last: Release, version: string): Release {
	const folder = mkdtempSync(join(tmpdir(), 'calls-release-'));
	try {
		const tarball = join(folder, 'last.tgz');
		writeFileSync(tarball, last.file);
		execFileSync('tar', ['-xzf', tarball, '-C', folder]);
		const unpacked = join(folder, 'package');
		const manifest = { ...last.manifest, version };
		const path = join(unpacked, 'package.json');
		writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version }));
		for (const [node, code] of Object.entries(saysItsVersion(version))) {
			appendFileSync(join(unpacked, 'dist', 'nodes', node, `${node}.node.js`), code);
		}
		return { version, manifest, file: packed(unpacked) };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function packed(folder: string): Buffer {
	const { command, args } = npmCommand(['pack', '--json', '--ignore-scripts']);
	const maxBuffer = 16 * 1024 * 1024;
	const options = { cwd: folder, env: npmEnvironment(), encoding: 'utf8', maxBuffer } as const;
	const answer: unknown = JSON.parse(execFileSync(command, args, options));
	// npm 12 returns an object keyed by name.
	const [file] = recordsIn(Array.isArray(answer) ? answer : Object.values(Object(answer)));
	return readFileSync(join(folder, textIn(file, 'filename')));
}
