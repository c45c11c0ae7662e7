/** Fails unless something holds. Where cases are cheap and many, `expect` would take most of their time. */
export function claim(holds: boolean, what: string): asserts holds {
	if (!holds) throw new Error(`Not true: ${what}`);
}
