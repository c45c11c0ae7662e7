// Prints everything that users read as one list, to read aloud ("npm run texts"): the forms of the
// built nodes and credentials, the messages in the source, the example workflows and the docs.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { INodeProperties } from 'n8n-workflow';
import ts from 'typescript';

/** Keys of a description whose values a person reads. */
const READ_BY_PEOPLE = new Set([
	'displayName',
	'description',
	'hint',
	'placeholder',
	'action',
	'name',
	'subtitle',
	'header',
	'activationHint',
	'activationMessage',
	'eventTriggerDescription',
	'inactive',
	'active',
	'waitingNodeTooltip',
]);

/** The texts of a built node or credential, in the order of its form, each once. */
export function textsOf(description: Record<string, unknown>): string[] {
	const texts = new Set<string>();
	collect(description, texts);
	return [...texts];
}

function collect(value: unknown, texts: Set<string>): void {
	if (Array.isArray(value)) {
		for (const each of value) collect(each, texts);
		return;
	}
	if (typeof value !== 'object' || value === null) return;
	const isParameter = 'type' in value && 'displayName' in value;
	for (const [key, inner] of Object.entries(value as Partial<INodeProperties>)) {
		if (typeof inner !== 'string') collect(inner, texts);
		else if (READ_BY_PEOPLE.has(key) && !(isParameter && key === 'name') && inner !== '') {
			texts.add(inner);
		}
	}
}

/** Marks a value in a message. */
const VALUE = '…';

/**
 * The sentences in a source file: every string with more than one word, except in imports and
 * comments. Values in a template are shown as "…".
 */
export function messagesIn(source: string, file: string): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) return;
		if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
		if (ts.isTemplateExpression(node)) {
			const spans = node.templateSpans.map(({ literal }) => VALUE + literal.text);
			texts.push(node.head.text + spans.join(''));
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, source, ts.ScriptTarget.ES2023, true));
	return texts.filter((text) => /[A-Za-z’']{2,} \S*[A-Za-z…]/.test(text));
}

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

for (const file of ['README.md', ...globSync('docs/**/*.md').sort(), 'examples/README.md']) {
	show(file, [readFileSync(file, 'utf8')]);
}
