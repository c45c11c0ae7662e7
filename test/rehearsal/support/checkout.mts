import { spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand, npmEnvironment } from '../../../playground/setup/install/npm.mts';
import { PACKAGE_NAME, ROOT } from '../../../playground/setup/paths.mts';

/**
 * A clean clone of what is committed here, and the remote that it was cloned from. It has this checkout's
 * node_modules in place of its own, which npm would take a minute to install.
 */
export class Checkout {
	readonly folder: string;
	private readonly remote: string;
	private readonly env: NodeJS.ProcessEnv;

	/**
	 * @param folder an empty folder
	 * @param owner who has the remote
	 * @param env variables for every command
	 */
	constructor(folder: string, owner: string, env: Record<string, string>) {
		this.folder = join(folder, 'clone');
		this.remote = join(folder, owner, `${PACKAGE_NAME}.git`);
		const author = { GIT_AUTHOR_NAME: 'Pat', GIT_AUTHOR_EMAIL: 'pat@acme.test' };
		const committer = { GIT_COMMITTER_NAME: 'Pat', GIT_COMMITTER_EMAIL: 'pat@acme.test' };
		this.env = { ...npmEnvironment(), ...author, ...committer, ...env };
		// With it, n8n's lint rules test themselves.
		delete this.env['NODE_ENV'];
	}

	async open(): Promise<void> {
		await this.must('git', ['clone', '--quiet', '--bare', ROOT, this.remote], ROOT);
		// In CI, what is checked out may be on no branch.
		await this.git('--git-dir', this.remote, 'update-ref', 'refs/heads/main', 'HEAD');
		await this.git('--git-dir', this.remote, 'symbolic-ref', 'HEAD', 'refs/heads/main');
		await this.must('git', ['clone', '--quiet', this.remote, this.folder], ROOT);
		symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
		// .gitignore lists the folder, not a link to it.
		writeFileSync(join(this.folder, '.git', 'info', 'exclude'), 'node_modules\n');
	}

	/** Runs npm in the clone. Resolves to everything that it printed, also if it failed. */
	async npm(...given: string[]): Promise<{ code: number; printed: string }> {
		const { command, args } = npmCommand(given);
		return await this.run(command, args, this.folder);
	}

	/** Runs Git in the clone, and returns what it printed. */
	async git(...args: string[]): Promise<string> {
		return await this.must('git', args, args[0] === '--git-dir' ? ROOT : this.folder);
	}

	/** The commits and tags that the remote has, by the name of each. */
	async pushed(): Promise<string[]> {
		const refs = await this.git('ls-remote', this.remote, 'refs/heads/main', 'refs/tags/*');
		return refs.split('\n').map((line) => line.replace('\t', ' '));
	}

	edit(path: string, change: (text: string) => string): void {
		const file = join(this.folder, path);
		writeFileSync(file, change(readFileSync(file, 'utf8')));
	}

	private async must(command: string, args: string[], cwd: string): Promise<string> {
		const { code, printed } = await this.run(command, args, cwd);
		if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${printed}`);
		return printed.trim();
	}

	// Not synchronously: npm asks the registry in this process.
	private async run(command: string, args: string[], cwd: string) {
		const child = spawn(command, args, { cwd, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
		let printed = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (text) => (printed += String(text)));
		}
		const code = await new Promise<number>((resolve, reject) => {
			child.once('error', reject);
			child.once('close', (exit) => resolve(exit ?? 1));
		});
		return { code, printed };
	}
}
