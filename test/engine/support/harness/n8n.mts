import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The checkout that the harness tests. */
export const repositoryRoot = resolve(import.meta.dirname, '../../../..');

// n8n-core reads its settings from the environment and keeps a settings file and binary data in its
// user folder, so it gets its own folder before it is loaded.
const userFolder = mkdtempSync(join(tmpdir(), 'carrier-engine-'));
Object.assign(process.env, {
	N8N_USER_FOLDER: userFolder,
	N8N_ENCRYPTION_KEY: 'engine-tests-only',
	N8N_LOG_LEVEL: 'debug',
	N8N_LOG_OUTPUT: 'console',
	N8N_RUNNERS_ENABLED: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
});

// n8n-core is CommonJS. n8n-workflow also has an ESM copy, and an error from one copy is not an
// instance of the other's class. So both are loaded the way n8n-core loads them.
const require = createRequire(join(repositoryRoot, 'package.json'));
export const core: typeof import('n8n-core') = require('n8n-core');
export const workflow: typeof import('n8n-workflow') = require('n8n-workflow');
export const di: typeof import('@n8n/di') = require('@n8n/di');
export const common: typeof import('@n8n/backend-common') = require('@n8n/backend-common');

let storage: Promise<void> | undefined;

/** n8n keeps the key that encrypts credentials in its database, itself encrypted; older ones don't. */
function readyEncryption(): void {
	if (!('EncryptionKeyProxy' in core)) return;
	const value = di.Container.get(core.Cipher).encryptDEKWithInstanceKey('5a'.repeat(32));
	const key = { id: 'enginetests', value, algorithm: 'aes-256-gcm', format: 'prefixed' as const };
	const give = async () => key;
	const provider = { getActiveKey: give, getKeyById: give, getLegacyKey: give };
	di.Container.get(core.EncryptionKeyProxy).setProvider(provider);
}

/** Prepares what n8n prepares at its start: encryption and binary data storage. */
export async function readyStorage(): Promise<void> {
	readyEncryption();
	storage ??= di.Container.get(core.BinaryDataService).init();
	await storage;
}

/** Deletes everything that n8n-core wrote. */
export function removeStorage(): void {
	storage = undefined;
	rmSync(userFolder, { recursive: true, force: true });
}
