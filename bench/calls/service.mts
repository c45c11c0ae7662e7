import { spawn } from 'node:child_process';
import { recordsIn } from '../../playground/n8n/rest.mts';
import { tokens } from '../../sandbox/service/tokens.mts';
import { ROOT } from '../../playground/setup/paths.mts';

/** The sandbox in a process of its own. */
export interface Service {
	baseUrl: string;
	token: string;
	latencyMs: number;
	stop(): void;
}

/** Whom to call about which load. */
export interface Driver {
	phone: string;
	load: string;
}

/** When requests reached the service, in Unix milliseconds. */
export interface Dialed {
	first: number;
	last: number;
	count: number;
}

let drivers = 0;

/** Drivers that nobody has called yet; each has a number and a load of its own. */
export function newDrivers(count: number): Driver[] {
	return Array.from({ length: count }, () => {
		const nth = drivers++;
		return { phone: `+1312${2_000_000 + nth}`, load: `B${nth}` };
	});
}

export async function startService(latencyMs: number): Promise<Service> {
	const args = ['sandbox/main.mts', '--port=0', '--calls=20', '--call-delay=600000'];
	const child = spawn(process.execPath, [...args, `--latency=${latencyMs}`], {
		...{ cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
	});
	const baseUrl = await new Promise<string>((resolve, reject) => {
		child.on('exit', (code) => reject(new Error(`The sandbox ended with ${code}`)));
		child.stdout?.on('data', (chunk: Buffer) => {
			const url = /http:\S+/.exec(String(chunk))?.[0];
			if (url) resolve(url);
		});
	});
	return { baseUrl, token: tokens.north, latencyMs, stop: () => void child.kill() };
}

export async function forget({ baseUrl }: Service): Promise<void> {
	await fetch(`${baseUrl}/sandbox/ledger`, { method: 'DELETE' });
}

/** The calls since the service forgot the ones before. */
export async function dialedBy({ baseUrl }: Service): Promise<Dialed> {
	const ledger: unknown = await (await fetch(`${baseUrl}/sandbox/ledger`)).json();
	const requests = recordsIn(ledger, 'requests').filter(({ method }) => method === 'POST');
	const times = requests.map(({ at }) => Date.parse(String(at)));
	return { first: Math.min(...times), last: Math.max(...times), count: times.length };
}

/** The ideal: a bare loop of `fetch`, so many at a time. Resolves to its milliseconds. */
export async function bareLoop(service: Service, count: number, parallel: number) {
	const left = newDrivers(count).values();
	const headers = {
		...{ 'content-type': 'application/json', authorization: `Bearer ${service.token}` },
	};
	const worker = async () => {
		for (const { phone, load } of left) {
			const body = JSON.stringify({ toPhone: phone, loadNumber: load, nextStopIndex: 0 });
			const url = `${service.baseUrl}/api/v1/track-and-trace/trigger-check-call`;
			const response = await fetch(url, { method: 'POST', headers, body });
			if (!response.ok) throw new Error(`The sandbox responded with ${response.status}`);
			await response.json();
		}
	};
	const begin = performance.now();
	await Promise.all(Array.from({ length: parallel }, worker));
	return performance.now() - begin;
}
