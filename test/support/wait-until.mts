import { setTimeout as wait } from 'node:timers/promises';

/** Waits until the condition holds. Throws an error that names it when it takes too long. */
export async function waitUntil(
	condition: string,
	holds: () => Promise<boolean> | boolean,
	withinMs = 120_000,
): Promise<void> {
	for (const deadline = Date.now() + withinMs; Date.now() < deadline; await wait(200)) {
		if (await holds()) return;
	}
	throw new Error(`Waited ${withinMs / 1000} s in vain for ${condition}`);
}
