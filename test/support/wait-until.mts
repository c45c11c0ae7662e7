import { setTimeout as wait } from 'node:timers/promises';

const LONGEST_PAUSE_MS = 2000;

/**
 * Waits until the condition holds. If that takes too long, throws an error that names it. Asking n8n costs it CPU
 * time, so a long wait asks less often: it lasts a twentieth too long at most.
 */
export async function waitUntil(
	condition: string,
	holds: () => Promise<boolean> | boolean,
	withinMs = 240_000,
): Promise<void> {
	const start = Date.now();
	let pause = 5;
	for (; Date.now() < start + withinMs; await wait(pause)) {
		if (await holds()) return;
		const longest = Math.max(200, (Date.now() - start) / 20);
		pause = Math.min(2 * pause, longest, LONGEST_PAUSE_MS);
	}
	throw new Error(`Waited ${withinMs / 1000} s in vain for ${condition}`);
}
