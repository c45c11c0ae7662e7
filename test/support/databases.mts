import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { recordsIn, type JsonObject } from '../../playground/n8n/rest.mts';
import { freePort } from '../../playground/process/ports.mts';
import { n8nFolder } from '../../playground/setup/paths.mts';
import { waitUntil } from './wait-until.mts';

/** A server that n8n needs, on any free local port, with its data in its own folder. */
export interface Server {
	port: number;
	/** Stops it as an administrator would, and starts it again with the same data. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/** The user that a server runs as; empty for our own. */
type Identity = { uid: number; gid: number } | Record<string, never>;

/** @throws when redis-server is not installed */
export async function startRedis(): Promise<Server> {
	const folder = mkdtempSync(join(tmpdir(), 'calls-redis-'));
	const port = await freePort();
	const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'yes'];
	return await start('redis-server', [...args, '--dir', folder], folder, port, {});
}

/** @throws when PostgreSQL is not installed */
export async function startPostgres(): Promise<Server> {
	const folder = mkdtempSync(join(tmpdir(), 'calls-postgres-'));
	const port = await freePort();
	const identity = unprivileged();
	if ('uid' in identity) chownSync(folder, identity.uid, identity.gid);
	const data = join(folder, 'data');
	const options = { ...identity, cwd: folder, stdio: 'ignore' } as const;
	const init = ['-D', data, '-U', 'n8n', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
	execFileSync(programOf('initdb'), init, options);
	const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F'];
	const server = await start(programOf('postgres'), args, folder, port, identity);
	// For a while after its start it takes connections only to refuse them.
	const takesQueries = async () =>
		await waitUntil('PostgreSQL', async () => {
			const rows = runSql(port, 'select 1 as one');
			return await rows.then(
				() => true,
				() => false,
			);
		});
	await takesQueries();
	return {
		...server,
		async restart() {
			await server.restart();
			await takesQueries();
		},
	};
}

/** The part of a client of PostgreSQL that is needed here. */
interface PostgresClient {
	connect(): Promise<void>;
	query(sql: string): Promise<unknown>;
	end(): Promise<void>;
}

/**
 * Runs SQL in a PostgreSQL that `startPostgres` started, with n8n's own client.
 * @returns the rows that it selects
 * @throws when the server refuses it
 */
export async function runSql(port: number, sql: string): Promise<JsonObject[]> {
	const pg: { Client: new (options: object) => PostgresClient } = createRequire(
		join(n8nFolder(), 'package.json'),
	)('pg');
	const client = new pg.Client({ host: '127.0.0.1', port, user: 'n8n', database: 'postgres' });
	await client.connect();
	try {
		return recordsIn(await client.query(sql), 'rows');
	} finally {
		await client.end();
	}
}

/** PostgreSQL refuses to run as root: Debian's package has a user for it. */
function unprivileged(): Identity {
	if (process.getuid?.() !== 0) return {};
	const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	return { uid: id('-u'), gid: id('-g') };
}

/** Debian keeps PostgreSQL's server programs off the path. */
function programOf(name: string): string {
	const root = '/usr/lib/postgresql';
	const versions = existsSync(root) ? readdirSync(root).sort().reverse() : [];
	return versions.map((version) => join(root, version, 'bin', name)).find(existsSync) ?? name;
}

async function start(
	command: string,
	args: string[],
	folder: string,
	port: number,
	identity: Identity,
): Promise<Server> {
	const run = async () => {
		const child = spawn(command, args, { cwd: folder, stdio: 'ignore', ...identity });
		const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
		const failed = new Promise<never>((_resolve, reject) => child.once('error', reject));
		await Promise.race([answers(child, port, command), failed]);
		return async () => {
			child.kill('SIGINT');
			await gone;
		};
	};
	let stop = await run();
	return {
		port,
		async restart() {
			await stop();
			stop = await run();
		},
		async stop() {
			await stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

async function answers(child: ChildProcess, port: number, command: string): Promise<void> {
	for (const deadline = Date.now() + 240_000; Date.now() < deadline; await wait(100)) {
		if (child.exitCode !== null) break;
		const open = await new Promise<boolean>((resolve) => {
			const socket = createConnection({ host: '127.0.0.1', port });
			socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
			socket.setTimeout(10_000, () => resolve(false));
			setTimeout(() => socket.destroy(), 10_000).unref();
		});
		if (open) return;
	}
	throw new Error(`${command} does not answer on port ${port}`);
}
