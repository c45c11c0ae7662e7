type Results = ReadonlyMap<string, readonly number[]>;

/** Prints the tables of bench/README.md. Times are milliseconds, most of them for a call or an item. */
export function printCalls(results: Results, earlier: number): void {
	const all = (name: string) => results.get(name) ?? [];
	const median = (name: string) => {
		const sorted = [...all(name)].sort((one, other) => one - other);
		const middle = (sorted.length - 1) / 2;
		const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
		return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
	};
	const ms = (value: number, digits: number) => `${value.toFixed(digits)} ms`;
	const row = (...cells: string[]) => console.log(`| ${cells.join(' | ')} |`);
	const measured = (what: string, goal: string, name: string, digits = 1) =>
		row(
			...[what, goal, ms(median(name), digits)],
			all(name)
				.map((value) => value.toFixed(digits))
				.join(', '),
		);

	row('what', 'goal', 'median', 'all rounds');
	row('---', '---:', '---:', '---');
	for (const at of ['0 ms', '50 ms']) {
		const goal = at === '0 ms' ? '≤ 5 ms' : '≤ 1.2 × ideal';
		measured(`first 800 calls, ${at} latency, a call`, goal, `first ${at}`);
		measured('— of that before the first dial', '', `before ${at}`, 2);
		measured('— of that from the first dial to the last response', '', `dialing ${at}`, 2);
		measured('— of that after the last response', '', `ending ${at}`, 2);
		measured('ideal: a bare loop of fetch', '', `ideal ${at}`);
		measured("control: n8n's HTTP Request node", '', `http ${at}`);
		measured('control: the least that a node can do', '', `least ${at}`);
		if (at === '0 ms') measured(`800 calls after ${earlier}, a call`, '≤ 1.2 first', 'after');
		measured(`80 guarded calls, ${at}, on top of ideal`, '≤ 2000 ms', `guarded ${at}`, 0);
	}
	measured('checking, two expressions, an item', '', 'checking', 2);
	measured("control: n8n's evaluation of the two, an item", '', 'two expressions', 2);
	measured('checking, no expressions, an item', '≤ 0.3 ms', 'checking without expressions', 2);
	measured('longest stall while checking', '≤ 100 ms', 'stall', 0);

	const ratio = (one: string, other: string) => (median(one) / median(other)).toFixed(2);
	const own = median('checking') - median('two expressions');
	const evaluation = median('two expressions');
	const floor = (median('ideal 50 ms') + evaluation) / median('ideal 50 ms');
	console.log(`
After ${earlier} calls / the first: ${ratio('after', 'first 0 ms')} (goal ≤ 1.2)
At 50 ms, the node's whole run / ideal: ${ratio('first 50 ms', 'ideal 50 ms')} (goal ≤ 1.2; n8n's evaluation of two expressions alone before the first dial: ${floor.toFixed(2)})
At 50 ms, from the first dial to the last response / ideal: ${ratio('dialing 50 ms', 'ideal 50 ms')} (goal ≤ 1.2)
At 50 ms, HTTP Request / ideal: ${ratio('http 50 ms', 'ideal 50 ms')}
At 50 ms, the least that a node can do / ideal: ${ratio('least 50 ms', 'ideal 50 ms')}
Checking two expressions, on top of n8n's evaluation: ${own.toFixed(2)} ms an item (goal ≤ 0.3)`);
}
