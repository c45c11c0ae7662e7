import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningN8n } from '../../../playground/n8n/n8n.mts';
import { type JsonObject, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../playground/n8n/session.mts';
import { freePort } from '../../../playground/process/ports.mts';
import { npmCommand, npmEnvironment } from '../../../playground/setup/install/npm.mts';
import { PACKAGE_NAME, ROOT } from '../../../playground/setup/paths.mts';
import type { ServiceProxy } from '../../e2e/examples/support/destinations/proxy.mts';
import { startPreparedN8n } from '../../support/prepared-n8n.mts';

const API = '/rest/community-packages';

/**
 * n8n with its own installer of community packages (n8n 2.41: community-packages.service.js), as the editor uses it.
 * Without a license it installs from registry.npmjs.org only, so n8n and the npm that it starts reach the registry on
 * loopback through a proxy, with a certificate of the test's own.
 */
export class InstallingN8n {
	private readonly folder: string;
	private readonly env: Record<string, string>;
	private port = 0;
	private n8n: RunningN8n | undefined;
	private loggedIn: N8nSession | undefined;

	/** @param folder for n8n, and for what npm needs */
	constructor(folder: string, proxy: ServiceProxy, registry: string) {
		this.folder = folder;
		this.env = throughProxy(folder, proxy, registry);
	}

	get session(): N8nSession {
		if (this.loggedIn === undefined) throw new Error('n8n is not running');
		return this.loggedIn;
	}

	/** Where it is, also while it isn't running. */
	get baseUrl(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	private get nodesFolder(): string {
		return join(this.folder, 'n8n', '.n8n', 'nodes');
	}

	async start(env: Record<string, string> = {}): Promise<void> {
		this.port ||= await freePort();
		this.n8n = await startPreparedN8n({
			...{ userFolder: join(this.folder, 'n8n'), port: this.port },
			// It writes the list of its nodes for the editor only.
			editor: true,
			env: { ...this.env, ...env },
		});
		this.loggedIn = await this.n8n.login();
	}

	async stop(): Promise<void> {
		await this.n8n?.stop();
		this.n8n = undefined;
	}

	/** Takes the folder with the package away, as an update of a container does, or puts it back. */
	moveNodes(where: 'away' | 'back'): void {
		const here = this.nodesFolder;
		const [from, to] = where === 'away' ? [here, `${here}-away`] : [`${here}-away`, here];
		// n8n makes an empty one when it starts.
		rmSync(to, { recursive: true, force: true });
		renameSync(from, to);
	}

	/** While n8n is stopped, installs a version with the command that docs/upgrade.md has for going back. */
	async goBackTo(version: string): Promise<void> {
		const page = readFileSync(join(ROOT, 'docs', 'upgrade.md'), 'utf8');
		const documented = /`npm (install [^`]+@)[\d.]+` in `~\/\.n8n\/nodes`/.exec(page)?.[1];
		if (documented === undefined) throw new Error('docs/upgrade.md has no such command');
		const { command, args } = npmCommand(`${documented}${version}`.split(' '));
		const env = { ...npmEnvironment(), ...this.env };
		// Not synchronously: npm asks the registry in this process.
		await promisify(execFile)(command, args, { cwd: this.nodesFolder, env });
	}

	async install(version?: string): Promise<void> {
		const body = { name: PACKAGE_NAME, ...(version !== undefined && { version }) };
		await this.session.rest.send('install the package', 'POST', API, body);
	}

	async update(version: string): Promise<void> {
		const body = { name: PACKAGE_NAME, version };
		await this.session.rest.send('update the package', 'PATCH', API, body);
	}

	async uninstall(): Promise<void> {
		await this.session.rest.send('uninstall the package', 'DELETE', `${API}?name=${PACKAGE_NAME}`);
	}

	/** The installed packages, as the editor lists them. */
	async installed(): Promise<JsonObject[]> {
		return recordsIn(await this.session.rest.send('list the packages', 'GET', API));
	}

	/** The package's nodes in the panel, without the tools that n8n makes of them. */
	async nodesInPanel(): Promise<string[]> {
		const list = await this.session.rest.send('list the nodes', 'GET', '/types/nodes.json');
		const names = recordsIn(list).map((type) => textIn(type, 'name'));
		const own = names.filter((name) => name.startsWith(PACKAGE_NAME) && !name.endsWith('Tool'));
		return [...new Set(own)].sort();
	}
}

/** Variables for npm and n8n that lead both to the registry on loopback. */
export function throughProxy(
	folder: string,
	proxy: ServiceProxy,
	registry: string,
): Record<string, string> {
	mkdirSync(folder, { recursive: true });
	const certificate = join(folder, 'certificate.pem');
	writeFileSync(certificate, proxy.certificate);
	const npmrc = join(folder, 'npmrc');
	// "npm publish" refuses to start without one.
	writeFileSync(npmrc, `//${registry}/:_authToken=of-the-rehearsal\n`);
	return {
		...{ HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1', NODE_EXTRA_CA_CERTS: certificate },
		// n8n calls "npm outdated" without the registry's URL.
		npm_config_registry: `https://${registry}`,
		npm_config_cafile: certificate,
		...{ npm_config_userconfig: npmrc, npm_config_globalconfig: join(folder, 'no-npmrc') },
		...{ npm_config_cache: join(folder, 'npm-cache'), npm_config_update_notifier: 'false' },
		// That is a compressed request, which the stand-in for the registry can't read: npm would wait for minutes.
		npm_config_audit: 'false',
	};
}
