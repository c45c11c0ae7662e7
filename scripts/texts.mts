// Prints everything that users read as one list, to read aloud ("npm run texts"): the forms of the
// built nodes and credentials, the messages in the source, the example workflows and the docs.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { textsOf } from './texts/form.mts';
import { messagesIn } from './texts/messages.mts';

const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

function show(title: string, texts: Iterable<string>): void {
	console.log(`\n== ${title}`);
	for (const text of texts) console.log(text.replaceAll('\n', '\n  '));
}

const shown = new Set<string>();
for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
	const types: Array<new () => { description?: Record<string, unknown> }> = Object.values(
		require(`../${file}`),
	);
	for (const Type of types) {
		const built = new Type();
		const texts = textsOf(built.description ?? { ...built });
		show(file.replace(/^dist\//, ''), texts);
		for (const text of texts) shown.add(text);
	}
}

for (const file of globSync('{nodes,credentials}/**/*.ts').sort()) {
	const messages = messagesIn(readFileSync(file, 'utf8'), file).filter((text) => !shown.has(text));
	if (messages.length > 0) show(`messages in ${file}`, new Set(messages));
}

for (const file of globSync('examples/**/*.json').sort()) {
	const { name, description, nodes } = JSON.parse(readFileSync(file, 'utf8'));
	if (nodes === undefined) continue;
	const texts = nodes.flatMap(
		(node: { name: string; notes?: string; parameters: { content?: string } }) =>
			[node.parameters.content ?? node.name, node.notes ?? ''].filter((text) => text !== ''),
	);
	show(
		`${file}: ${name}`,
		[description ?? '', ...texts].filter((text) => text !== ''),
	);
}

for (const file of ['README.md', ...globSync('docs/*.md').sort(), 'examples/README.md']) {
	show(file, [readFileSync(file, 'utf8')]);
}
