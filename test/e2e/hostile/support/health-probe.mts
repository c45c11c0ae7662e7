// A program of its own, because the test is busy itself. It asks n8n and a process that has nothing else
// to do whether they are healthy, twenty times a second, and sends how long each took.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const [, program = '', url = ''] = process.argv;
process.on('disconnect', () => process.exit());

if (url === '') {
	const server = createServer((_request, response) => void response.end('ok'));
	server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
} else {
	const idle = fork(program, []);
	const { port } = await new Promise<{ port: number }>((ready) => idle.once('message', ready));
	for (;;) {
		const [n8n, baseline] = await Promise.all([
			timeOf(`${url}/healthz`),
			timeOf(`http://127.0.0.1:${port}/`),
		]);
		// The test may just have ended.
		process.send?.({ n8n, baseline, at: Date.now() }, () => {});
		await wait(50);
	}
}

/** Milliseconds until the answer; Infinity if there was none, or none that says yes. */
async function timeOf(asked: string): Promise<number> {
	const start = performance.now();
	try {
		const response = await fetch(asked, { signal: AbortSignal.timeout(30_000) });
		await response.arrayBuffer();
		return response.ok ? performance.now() - start : Infinity;
	} catch {
		return Infinity;
	}
}
