import { setTimeout as wait } from 'node:timers/promises';

const LONGEST_PAUSE_MS = 2000;

/**
 * Waits until the condition holds. If that takes too long, throws an error that names it. Asking n8n costs it CPU
 * time: after a question that took time, it pauses ten times as long (up to half a second), and a long wait asks
 * less often (it lasts a twentieth too long at most).
 */
export async function waitUntil(
	condition: string,
	holds: () => Promise<boolean> | boolean,
	withinMs = 240_000,
): Promise<void> {
	const start = Date.now();
	let pause = 5;
	for (; Date.now() < start + withinMs; await wait(pause)) {
		const asked = Date.now();
		if (await holds()) return;
		const now = Date.now();
		const longest = Math.max(200, (now - start) / 20);
		const tenTimes = Math.min(10 * (now - asked), 500);
		pause = Math.min(Math.max(Math.min(2 * pause, longest), tenTimes), LONGEST_PAUSE_MS);
	}
	throw new Error(`Waited ${withinMs / 1000} s in vain for ${condition}`);
}
