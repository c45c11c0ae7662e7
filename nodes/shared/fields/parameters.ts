import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isJsonObject } from '../service/json';
import { InvalidParameter } from './invalidParameter';

type Context = IExecuteFunctions | IPollFunctions | IWebhookFunctions;

/** n8n validates only properties with a `validateType`; searching all of them takes long. */
const UNVALIDATED = { skipValidation: true };

/** What the items of a run share: n8n copies the node for each `getNode`, and is slow to look up parameters. */
export class ConstantParameters {
	/** Of parameters without expressions. */
	readonly values = new Map<string, unknown>();
	/** The parameters with expressions that were read so far. */
	readonly varying = new Set<string>();
	/** With expressions, as the workflow has them. */
	readonly node: INode;

	constructor(context: Context) {
		this.node = context.getNode();
	}
}

/**
 * The parameters of one item, from which fields read their values. An expression may return any
 * type, even one that the editor wouldn't accept.
 */
export class Parameters {
	private readonly values = new Map<string, unknown>();

	/** @param itemIndex item whose expressions are resolved; a trigger has none */
	constructor(
		private readonly context: Context,
		readonly itemIndex = 0,
		private readonly constants = new ConstantParameters(context),
	) {}

	/** A parameter's value; undefined if it is absent, empty or null. */
	raw(name: string): unknown {
		const [collection = name, ...path] = name.split('.');
		let value = this.topLevel(collection);
		for (const key of path) {
			if (value === null || value === undefined || value === '') return undefined;
			if (typeof value !== 'object' || Array.isArray(value)) {
				throw new InvalidParameter(collection, 'must be an object', value);
			}
			value = Object.getOwnPropertyDescriptor(value, key)?.value;
		}
		return value === null || value === '' ? undefined : value;
	}

	/** Evaluates the expressions that other items of the run needed; one that fails fails again when read. */
	evaluate(): this {
		for (const name of this.constants.varying) {
			try {
				this.topLevel(name);
			} catch {
				// The item may not need it.
			}
		}
		return this;
	}

	/** Whether one expression gives the whole parameter, such as a collection. */
	isExpression(name: string): boolean {
		const value = this.node.parameters[name];
		return typeof value === 'string' && value.startsWith('=');
	}

	/**
	 * Half a sentence about a field whose expression found nothing, such as a misspelled `$json.load`.
	 * Not counted are what a model may leave out (`$fromAI`), and a collection from one expression that
	 * leaves out the field.
	 *
	 * @param value undefined, or what may be only the fixed text: "LD-" for "LD-{{ $json.load }}"
	 */
	lossIn(name: string, value: unknown): string | undefined {
		const expressions = expressionsIn(this.stored(name));
		if (value === undefined) {
			const isGiven = expressions.some((text) => text.includes('{{') && !/\$fromAI/i.test(text));
			return isGiven && !this.isLeftOut(name)
				? 'is empty: its expression returned nothing, so the result would not be what was asked for'
				: undefined;
		}
		const [before = '', ...others] = expressions[0]?.replace(/^=/, '').split('{{') ?? [];
		const after = others.map((part) => part.slice(part.indexOf('}}') + '}}'.length));
		const fixed = [before, ...after].join('').trim();
		return others.length > 0 && fixed !== '' && fixed === String(value).trim()
			? 'has only its fixed text because the expression returned nothing'
			: undefined;
	}

	/** The node, with expressions as the workflow has them. */
	get node(): INode {
		return this.constants.node;
	}

	get timezone(): string {
		return this.context.getTimezone();
	}

	get forAgent(): boolean {
		return 'getInputData' in this.context && runsAsTool(this.context, this.node);
	}

	/** The input item's JSON; empty in a trigger. */
	get inputItem(): IDataObject {
		if (!('getInputData' in this.context)) return {};
		return this.context.getInputData()[this.itemIndex]?.json ?? {};
	}

	/** Resolved once, so that an expression has the same value on every read. */
	private topLevel(name: string): unknown {
		const { values: constants, varying, node } = this.constants;
		const known = [this.values, constants].find((values) => values.has(name));
		if (known) return known.get(name);
		// n8n-core 2.41 throws for an absent parameter unless there is a fallback.
		const value: unknown =
			'getInputData' in this.context
				? this.context.getNodeParameter(name, this.itemIndex, null, UNVALIDATED)
				: this.context.getNodeParameter(name, null);
		const isConstant = expressionsIn(node.parameters[name]).length === 0;
		if (!isConstant) varying.add(name);
		(isConstant ? constants : this.values).set(name, value);
		return value;
	}

	/** As the workflow has it: its own expression, or the one that gives the whole collection. */
	private stored(name: string): unknown {
		const [collection = name, key] = name.split('.');
		const stored: unknown = this.node.parameters[collection];
		return key === undefined || !isJsonObject(stored) ? stored : stored[key];
	}

	private isLeftOut(name: string): boolean {
		const [collection = name, key] = name.split('.');
		if (key === undefined || !this.isExpression(collection)) return false;
		return !Object.hasOwn(Object(this.topLevel(collection)), key);
	}
}

/** The expressions anywhere in a parameter as the workflow stores it. */
export function expressionsIn(stored: unknown): string[] {
	if (typeof stored === 'string') return stored.startsWith('=') ? [stored] : [];
	if (Array.isArray(stored)) return stored.flatMap(expressionsIn);
	return isJsonObject(stored) ? Object.values(stored).flatMap(expressionsIn) : [];
}

/**
 * Whether an AI agent is using the node, rather than a workflow. The AI Agent node runs its tools
 * as ordinary nodes, where `isToolExecution` returns false (n8n-core 2.41). Then only the node type
 * tells: n8n appends "Tool" to it.
 */
export function runsAsTool(context: IExecuteFunctions, node = context.getNode()): boolean {
	return context.isToolExecution?.() === true || isToolType(node.type);
}

/** Shows a hint above the node's output. */
export function showHint(context: IExecuteFunctions, type: 'info' | 'warning', message: string) {
	// Older versions of n8n have no hints.
	context.addExecutionHints?.({ message, type, location: 'outputPane' });
}

export function isToolType(type: string): boolean {
	return type.endsWith('Tool');
}
