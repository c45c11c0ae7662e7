import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { freePort } from '../playground/process/ports.mts';

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const FLAGS = [
	...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
	...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Starts Chromium without a window: the one that CHROMIUM names, or Debian's. */
export async function startChromium(): Promise<Browser> {
	if (!existsSync(EXECUTABLE)) {
		throw new Error(
			`There is no Chromium at ${EXECUTABLE}. Install it (Debian: apt-get install chromium), or say where it is: CHROMIUM=/path/to/chromium`,
		);
	}
	return await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
}

export interface Playground {
	n8nUrl: string;
	sandboxUrl: string;
	email: string;
	password: string;
}

/** Runs "npm start" with empty data while `use` works with it, and deletes the data. */
export async function withPlayground(use: (playground: Playground) => Promise<void>) {
	const data = mkdtempSync(join(tmpdir(), 'carrier-playground-'));
	const [n8nPort, sandboxPort] = [`${await freePort()}`, `${await freePort()}`];
	const child = spawn(
		process.execPath,
		['playground/start.mts', '--n8n-port', n8nPort, '--sandbox-port', sandboxPort],
		{
			env: { ...process.env, CARRIER_PLAYGROUND_DATA: data },
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	try {
		await new Promise<void>((ready, failed) => {
			child.stdout.on('data', (text: Buffer) => {
				process.stdout.write(text);
				if (text.includes('Everything is up')) ready();
			});
			child.once('exit', (code) => failed(new Error(`The playground exited with ${code}`)));
		});
		const { email, password } = JSON.parse(readFileSync(join(data, 'login.json'), 'utf8'));
		const [n8nUrl, sandboxUrl] = [n8nPort, sandboxPort].map((port) => `http://127.0.0.1:${port}`);
		await use({ n8nUrl: `${n8nUrl}`, sandboxUrl: `${sandboxUrl}`, email, password });
	} finally {
		if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
		rmSync(data, { recursive: true, force: true });
	}
}
