import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { image } from '../../../playground/n8n/choice.mts';
import { freePort } from '../../../playground/process/ports.mts';
import { n8nFolder } from '../../../playground/setup/paths.mts';
import { run, temporaryFolder } from '../support/start-command.mts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Takes Docker's arguments, and runs the installed n8n with the container's variables and none of its own. */
const DOCKER = (n8n: string, log: string) => `#!${process.execPath}
const { spawn } = require('node:child_process');
const args = process.argv.slice(2);
if (args[0] === 'info') process.exit(0);
require('node:fs').writeFileSync(${JSON.stringify(log)}, args.join('\\n'));
const env = { PATH: process.env.PATH };
args.forEach((arg, nth) => {
	if (args[nth - 1] !== '--env') return;
	env[arg.slice(0, arg.indexOf('='))] = arg.slice(arg.indexOf('=') + 1);
});
const own = args.slice(args.findIndex((arg) => arg.includes('/n8nio/n8n:')) + 1);
const cwd = args[args.indexOf('--workdir') + 1];
const child = spawn(process.execPath, [${JSON.stringify(n8n)}, ...own], { env, cwd, stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
`;

it('npm start -- --docker gives the container what n8n needs for the sample check call', async () => {
	const log = join(folder.path, 'arguments');
	const n8n = join(n8nFolder(), 'node_modules', 'n8n', 'bin', 'n8n');
	writeFileSync(join(folder.path, 'docker'), DOCKER(n8n, log), { mode: 0o755 });
	const ports = [
		'--n8n-port',
		String(await freePort()),
		'--sandbox-port',
		String(await freePort()),
	];
	const { exitCode, stderr } = await run(['--docker', '--once', '--call-delay', '500', ...ports], {
		PATH: [folder.path, process.env['PATH']].join(delimiter),
		CARRIER_PLAYGROUND_DATA: join(folder.path, 'data'),
		// Nothing is installed for it.
		CARRIER_PLAYGROUND_CACHE: join(folder.path, 'no-n8n'),
	});
	expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
	const args = readFileSync(log, 'utf8').split('\n');
	expect(args.slice(0, 4)).toEqual(['run', '--rm', '--init', '--network=host']);
	expect(args.at(-2)).toBe(image());
	expect(args).toContain('N8N_LISTEN_ADDRESS=127.0.0.1');
});
