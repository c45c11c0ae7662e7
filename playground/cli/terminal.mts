const startedAt = Date.now();

/** Prints a step with the seconds since the start. */
export function printStep(text: string): void {
	const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${text}`);
}

export function print(text = ''): void {
	console.log(text);
}

/** Prints one line on the error stream. */
export function printError(text: string): void {
	console.error(text);
}

/** Prints a line that the next one overwrites in a terminal. */
export function printProgress(text: string): void {
	if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K          ${text}`);
	else console.log(`          ${text}`);
}

export function clearProgress(): void {
	if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
}

/** Prints names and values in two aligned columns. */
export function printTable(rows: Record<string, string>): void {
	const width = Math.max(...Object.keys(rows).map((name) => name.length));
	for (const [name, value] of Object.entries(rows)) print(`    ${name.padEnd(width)}  ${value}`);
}
