import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, UserError } from '../cli/terminal.mts';
import { isRecord, textIn } from './rest.mts';
import { PLAYGROUND } from '../setup/paths.mts';

/**
 * Which n8n to run: the one that npm installed, its container image, or one that already runs. From version 3.0 on,
 * n8n is published only as an image: then the first one stays at its version, or goes.
 */
export type N8nChoice =
	| { kind: 'installed' }
	| { kind: 'container'; runtime: string }
	| { kind: 'given'; url: string; apiKey: string };

/**
 * For the tests, which have no options: "docker" runs each n8n in a container, and a URL takes the one that already
 * runs there.
 */
export const N8N_VARIABLE = 'CARRIER_N8N';
export const API_KEY_VARIABLE = 'CARRIER_N8N_API_KEY';

/** Whether the tests take an n8n that they haven't started, and so can't stop, run by hand or look into. */
export function isGivenN8n(env: NodeJS.ProcessEnv = process.env): boolean {
	return !['', 'docker'].includes(env[N8N_VARIABLE] ?? '');
}

/**
 * The n8n that the options ask for.
 * @throws UserError that says what is missing: Docker or Podman, a URL on this machine, the API key
 */
export function chooseN8n(
	{ n8nUrl, docker }: { n8nUrl?: string | undefined; docker: boolean },
	env: NodeJS.ProcessEnv = process.env,
): N8nChoice {
	if (n8nUrl !== undefined) return given(n8nUrl, '--n8n', 'must be', env);
	const chosen = env[N8N_VARIABLE] ?? '';
	if (docker || chosen === 'docker') return { kind: 'container', runtime: containerRuntime() };
	if (chosen === '') return { kind: 'installed' };
	return given(chosen, N8N_VARIABLE, 'must be "docker" or', env);
}

/** The sandbox listens on this machine only, and the examples' keys are public. */
function given(text: string, name: string, mustBe: string, env: NodeJS.ProcessEnv): N8nChoice {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '');
	if (url?.protocol !== 'http:' || !isLocal) {
		throw new UserError(
			`${name} ${mustBe} the URL of an n8n on this machine, such as http://localhost:5678, not "${text}". The sandbox can't be reached from another machine.`,
		);
	}
	const apiKey = env[API_KEY_VARIABLE];
	if (apiKey) return { kind: 'given', url: url.origin, apiKey };
	throw new UserError(
		`${name} needs an API key. Create one in n8n (${url.origin}/settings/api) and set it in ${API_KEY_VARIABLE}.`,
	);
}

/** Docker or Podman, whichever responds. */
function containerRuntime(): string {
	const failures: string[] = [];
	for (const runtime of ['docker', 'podman']) {
		const { status, error, stderr } = spawnSync(runtime, ['info'], {
			encoding: 'utf8',
			timeout: 20_000,
		});
		if (status === 0) return runtime;
		const said = stderr?.trim().split('\n').at(-1) || (error && errorMessage(error));
		const isMissing = error !== undefined && 'code' in error && error.code === 'ENOENT';
		failures.push(`${runtime}: ${isMissing ? 'not installed' : said || 'does not respond'}`);
	}
	throw new UserError(
		`--docker needs Docker or Podman, and neither is running here (${failures.join('; ')}). Install or start one, or leave out --docker.`,
	);
}

/** The official image, in the version that npm would install. */
export function image(): string {
	const manifest: unknown = JSON.parse(readFileSync(join(PLAYGROUND, 'package.json'), 'utf8'));
	const { dependencies } = isRecord(manifest) ? manifest : {};
	return `docker.io/n8nio/n8n:${textIn(dependencies, 'n8n')}`;
}

/** n8n's own variables, which are the same in a container. */
const isForN8n = (name: string) => /^(N8N_|DB_|QUEUE_|EXECUTIONS_|NO_PROXY$|HOME$|TZ$)/.test(name);

/**
 * The command that runs n8n in a container with the same folder, user, ports and variables as without one.
 * The container shares this machine's network, because n8n and the sandbox listen on loopback only.
 */
export function containerCommand(
	runtime: string,
	userFolder: string,
	env: NodeJS.ProcessEnv,
	args: string[],
): { command: string; args: string[] } {
	const variables = Object.entries(env).filter(([name, value]) => isForN8n(name) && value);
	const user =
		runtime === 'podman'
			? ['--userns=keep-id']
			: [`--user=${process.getuid?.() ?? 1000}:${process.getgid?.() ?? 1000}`];
	return {
		command: runtime,
		args: [
			...['run', '--rm', '--init', '--network=host', ...user],
			...['--volume', `${userFolder}:${userFolder}`, '--workdir', userFolder],
			...variables.flatMap(([name, value]) => ['--env', `${name}=${value}`]),
			image(),
			...args,
		],
	};
}
