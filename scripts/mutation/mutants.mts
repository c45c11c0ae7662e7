// What a mutation changes in a source file: one place, in one of a few ways.
import ts from 'typescript';

/** One change of one place. Offsets are characters in the file. */
export interface Mutant {
	/** Relative to the root of the package. */
	file: string;
	start: number;
	end: number;
	replacement: string;
	/** From 1. */
	line: number;
	/** The line before and the changed part, for people. */
	what: string;
	/** Which function it is in; see `functionsOf`. */
	place: string;
}

interface Change {
	node: ts.Node;
	text: string;
}

const SWAPS = new Map<string, string>([
	...([
		['<', '<='],
		['<=', '<'],
		['>', '>='],
		['>=', '>'],
		['===', '!=='],
		['!==', '==='],
		['&&', '||'],
		['||', '&&'],
		['+', '-'],
		['-', '+'],
		['*', '/'],
		['/', '*'],
	] as const),
]);

const METHODS = new Map([
	['some', 'every'],
	['every', 'some'],
	['min', 'max'],
	['max', 'min'],
	['ceil', 'floor'],
	['floor', 'ceil'],
]);

/** Methods that can be left out: the list is then unchanged. */
const DROPPED = new Set(['filter', 'slice', 'sort', 'trim', 'toLowerCase', 'reverse']);

const COMPARISONS = new Set([
	ts.SyntaxKind.EqualsEqualsEqualsToken,
	ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

/** The functions of a file by where they begin, as "file@offset". What is outside them is "file". */
export function functionsOf(file: string, text: string): Array<{ place: string; body: ts.Node }> {
	const found: Array<{ place: string; body: ts.Node }> = [];
	const visit = (node: ts.Node) => {
		const body = bodyOf(node);
		if (body) found.push({ place: placeOf(file, body), body });
		ts.forEachChild(node, visit);
	};
	visit(parse(file, text));
	return found;
}

/** All mutants of a file, in its order. */
export function mutantsOf(file: string, text: string): Mutant[] {
	const source = parse(file, text);
	const found: Mutant[] = [];
	const visit = (node: ts.Node, place: string) => {
		if (isLeftAlone(node)) return;
		for (const { node: old, text: replacement } of changesOf(node)) {
			const [start, end] = [old.getStart(source), old.end];
			const { line } = source.getLineAndCharacterOfPosition(start);
			const what = `${short(text.slice(start, end))} → ${short(replacement)}`;
			found.push({ file, start, end, replacement, line: line + 1, what, place });
		}
		const body = bodyOf(node);
		ts.forEachChild(node, (child) => visit(child, child === body ? placeOf(file, body) : place));
	};
	visit(source, file);
	return found;
}

function parse(file: string, text: string): ts.SourceFile {
	return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
}

const bodyOf = (node: ts.Node): ts.Node | undefined =>
	ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node | undefined) : undefined;

const placeOf = (file: string, body: ts.Node) => `${file}@${body.getStart()}`;

const short = (text: string) => {
	const line = text.replace(/\s+/g, ' ');
	return line.length > 90 ? `${line.slice(0, 45)}…${line.slice(-40)}` : line;
};

/** Types and imports do nothing; the texts of forms and errors are read by people and other tests. */
function isLeftAlone(node: ts.Node): boolean {
	if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) {
		return true;
	}
	if (ts.isCallExpression(node) && /\blogger\b/.test(node.expression.getText())) return true;
	if (!ts.isObjectLiteralExpression(node)) return false;
	return node.properties.some((each) =>
		/^(displayName|description)$/.test(each.name?.getText() ?? ''),
	);
}

function changesOf(node: ts.Node): Change[] {
	if (ts.isIfStatement(node)) return conditionChanges(node.expression);
	if (ts.isConditionalExpression(node)) return conditionChanges(node.condition);
	if (ts.isWhileStatement(node)) return [{ node: node.expression, text: 'false' }];
	if (ts.isBinaryExpression(node)) return binaryChanges(node);
	if (ts.isCallExpression(node)) return callChanges(node);
	if (ts.isAwaitExpression(node)) return [{ node, text: `(${node.expression.getText()})` }];
	if (ts.isExpressionStatement(node)) return statementChanges(node);
	if (ts.isThrowStatement(node)) return [{ node, text: ';' }];
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
		return [{ node, text: `(${node.operand.getText()})` }];
	}
	return constantChanges(node);
}

const conditionChanges = (node: ts.Expression): Change[] => [
	{ node, text: 'true' },
	{ node, text: 'false' },
];

function binaryChanges(node: ts.BinaryExpression): Change[] {
	const operator = node.operatorToken.getText();
	if (operator === '??') return [{ node, text: node.left.getText() }];
	const swap = SWAPS.get(operator);
	return swap === undefined ? [] : [{ node: node.operatorToken, text: swap }];
}

function callChanges(node: ts.CallExpression): Change[] {
	const { expression } = node;
	if (!ts.isPropertyAccessExpression(expression)) return [];
	const { name } = expression;
	const other = METHODS.get(name.text);
	if (other !== undefined) return [{ node: name, text: other }];
	return DROPPED.has(name.text) ? [{ node, text: expression.expression.getText() }] : [];
}

function statementChanges(node: ts.ExpressionStatement): Change[] {
	const { expression } = node;
	const does = ts.isAwaitExpression(expression) ? expression.expression : expression;
	const isSuper = does.getText().startsWith('super(');
	const isCall = ts.isCallExpression(does) && !isSuper;
	return isCall || ts.isBinaryExpression(does) ? [{ node, text: ';' }] : [];
}

function constantChanges(node: ts.Node): Change[] {
	if (ts.isNumericLiteral(node)) return [{ node, text: node.text === '0' ? '1' : '0' }];
	if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ node, text: 'false' }];
	if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ node, text: 'true' }];
	if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isTarget(node)) {
		return [{ node, text: '[]' }];
	}
	const isCompared =
		ts.isStringLiteral(node) &&
		node.text !== '' &&
		ts.isBinaryExpression(node.parent) &&
		COMPARISONS.has(node.parent.operatorToken.kind as never);
	return isCompared ? [{ node, text: "''" }] : [];
}

/** `[a, b] = …` */
function isTarget({ parent }: ts.Node): boolean {
	return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}
