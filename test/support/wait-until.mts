import { setTimeout as wait } from 'node:timers/promises';

/** Waits until the condition holds. If that takes too long, throws an error that names it. */
export async function waitUntil(
	condition: string,
	holds: () => Promise<boolean> | boolean,
	withinMs = 240_000,
): Promise<void> {
	let pause = 5;
	for (const deadline = Date.now() + withinMs; Date.now() < deadline; await wait(pause)) {
		if (await holds()) return;
		pause = Math.min(2 * pause, 200);
	}
	throw new Error(`Waited ${withinMs / 1000} s in vain for ${condition}`);
}
