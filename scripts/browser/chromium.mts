import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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
