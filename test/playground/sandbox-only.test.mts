import { freePort } from '../../playground/process/ports.mts';
import { start } from './support/start-command.mts';

// These tests start programs, which takes time on a busy machine.

it('runs only the sandbox until Ctrl-C, with a token that works', async () => {
	const port = await freePort();
	const playground = start(['--sandbox-only', '--sandbox-port', String(port), '--calls', '7']);
	await playground.printed('Access Token');
	await playground.printed('sandbox-north-token');
	const query = 'startTime=2000-01-01T00:00:00Z&endTime=2100-01-01T00:00:00Z';
	const response = await fetch(`http://127.0.0.1:${port}/api/v1/calls?${query}`, {
		headers: { authorization: 'Bearer sandbox-north-token' },
	});
	expect(await response.json()).toMatchObject({ pagination: { total: 7 } });

	playground.process.kill('SIGINT');
	const { exitCode, stderr } = await playground.exited;
	expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
	await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});
