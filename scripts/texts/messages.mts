import ts from 'typescript';

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
