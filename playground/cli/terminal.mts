const started = Date.now();

/** One step that was done, with the seconds since the start. */
export function step(text: string): void {
	const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${text}`);
}

export function say(text = ''): void {
	console.log(text);
}

/** A failure: one line, on the error stream. */
export function complain(text: string): void {
	console.error(text);
}

/** A line that is written over by the next one in a terminal, and left out every other time elsewhere. */
export function progress(text: string): void {
	if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K          ${text}`);
	else console.log(`          ${text}`);
}

export function endProgress(): void {
	if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
}

/** Names and values below each other, aligned. */
export function pairs(values: Record<string, string>): void {
	const width = Math.max(...Object.keys(values).map((name) => name.length));
	for (const [name, value] of Object.entries(values)) say(`    ${name.padEnd(width)}  ${value}`);
}
