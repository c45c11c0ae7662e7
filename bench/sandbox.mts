// How long the sandbox takes to start, and to return a page of 500 calls out of 100,000: real HTTP,
// one keep-alive connection, the sandbox in its own process. The baseline is a plain Node.js server
// that sends as many bytes from memory. The clock stops at the last byte; then the client parses
// the page, as clients do, before it requests the next. With --greedy it requests the next at once.
// Run: node bench/sandbox.mts [--greedy] [calls]
import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { tokens } from '../sandbox/service/tokens.mts';

const PAGE = 500;
const AGAIN = 200;
const greedy = process.argv.includes('--greedy');
const calls = Number(process.argv.slice(2).find((each) => each !== '--greedy') ?? 100_000);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface Started {
	child: ChildProcess;
	url: string;
	ms: number;
}

/** Runs a Node.js program until it prints its URL. */
function startProgram(args: string[]): Promise<Started> {
	const begun = performance.now();
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	return new Promise((resolve, reject) => {
		child.on('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
		child.stdout.on('data', (chunk: Buffer) => {
			const url = /http:\S+/.exec(String(chunk))?.[0];
			if (url) resolve({ child, url, ms: performance.now() - begun });
		});
	});
}

const startSandboxProgram = (): Promise<Started> =>
	startProgram([join(import.meta.dirname, '../sandbox/main.mts'), '--port=0', `--calls=${calls}`]);

const startControl = (bytes: number): Promise<Started> =>
	startProgram([
		'--eval',
		`const body = '"' + 'A'.repeat(${bytes} - 2) + '"';
		const bytes = Buffer.from(body);
		const server = require('node:http').createServer((_, answer) => answer.end(bytes));
		server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`,
	]);

/** Reads one response to its last byte. Resolves to its milliseconds and its size. */
function timed(url: string, token = tokens.north): Promise<{ ms: number; bytes: number }> {
	const headers = { authorization: `Bearer ${token}` };
	const begun = performance.now();
	return new Promise((resolve, reject) => {
		const request = get(url, { agent, headers }, (answer) => {
			const chunks: Buffer[] = [];
			answer.on('data', (chunk: Buffer) => chunks.push(chunk));
			answer.on('end', () => {
				const ms = performance.now() - begun;
				const body = Buffer.concat(chunks);
				if (!greedy) JSON.parse(body.toString('utf8'));
				resolve({ ms, bytes: body.length });
			});
		});
		request.on('error', reject);
	});
}

async function report(name: string, urls: string[], token = tokens.north): Promise<void> {
	const times: number[] = [];
	for (const url of urls) times.push((await timed(url, token)).ms);
	const sorted = times.toSorted((one, other) => one - other);
	const at = (share: number): string =>
		(sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(2).padStart(6);
	console.log(
		`${name.padEnd(38)} fastest ${at(0)}   median ${at(0.5)}   p95 ${at(0.95)} ms   n=${sorted.length}`,
	);
}

async function measure({ url }: Started): Promise<void> {
	const list = `${url}/api/v1/calls?startTime=2000-01-01&endTime=2100-01-01&limit=${PAGE}`;
	const pages = Array.from({ length: calls / PAGE }, (_, nth) => `${list}&offset=${nth * PAGE}`);
	await report('walk, first ever, fresh process', pages);
	await report('walk, the same again', pages);
	await report('walk, first of the other organization', pages, tokens.south);
	await report('walk, the same again', pages, tokens.south);
	await report('the newest page, again and again', new Array(AGAIN).fill(list));
	const loads = Array.from({ length: 100 }, (_, nth) => `${list}&loadId=${40_100 + nth}`);
	await report('calls of a load never asked for', loads);
	const { bytes } = await timed(list);
	const control = await startControl(bytes);
	await report('control: the bare server, warm-up', new Array(AGAIN).fill(control.url));
	await report(
		`control: ${Math.round(bytes / 1024)} KiB, bare server`,
		new Array(AGAIN).fill(control.url),
	);
	stop(control);
}

function stop({ child }: Started): void {
	child.removeAllListeners('exit');
	child.kill();
}

const sandbox = await startSandboxProgram();
console.log(`${calls} calls: from the command to the first line ${sandbox.ms.toFixed(0)} ms`);
await measure(sandbox);
agent.destroy();
stop(sandbox);
