import { printTable, type Results } from './results.mts';
import { hasHttpRequest, type Run, type Task } from './service.mts';

const READERS = [
	...(hasHttpRequest ? ['http'] : []),
	...[
		'node-4',
		'bare-4',
		'helper-4',
		'node-8',
		'bare-8',
		'helper-8',
		'node-4-simplified',
		'bare-1',
	],
];

/** This package's node, n8n's HTTP Request node and plain loops. */
export async function compareReaders(
	results: Results,
	url: string,
	rounds: number,
	size: Omit<Task, 'reader'>,
): Promise<void> {
	const tasks = READERS.map((reader) => ({ reader, ...size }));
	await results.measure(url, tasks, rounds);
	console.log(`\nReaders, at ${size.latencyMs} ms a page\n`);
	printTable(results, tasks);
	console.log('');
	const ratio = (one: string, other: string, key: keyof Run = 'ms'): string =>
		results.ratio({ reader: one, ...size }, { reader: other, ...size }, key).toFixed(3);
	if (hasHttpRequest) {
		for (const reader of ['node-4', 'node-4-simplified', 'node-8']) {
			console.log(`HTTP Request / ${reader}: time ${ratio('http', reader)}`);
		}
	} else {
		console.log('n8n is not installed in playground/: HTTP Request was left out');
	}
	for (const parallel of [4, 8]) {
		const [node, bare, helper] = ['node', 'bare', 'helper'].map((each) => `${each}-${parallel}`);
		if (!node || !bare || !helper) continue;
		console.log(`${helper} / ${bare}: time ${ratio(helper, bare)}`);
		console.log(
			`${node} / ${bare}: time ${ratio(node, bare)}, peak RSS ${ratio(node, bare, 'rssMb')}, peak heap ${ratio(node, bare, 'heapMb')}, kept ${ratio(node, bare, 'keptMb')}`,
		);
	}
}
