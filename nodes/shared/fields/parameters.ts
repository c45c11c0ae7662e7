import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isJsonObject } from '../service/json';

type Context = IExecuteFunctions | IPollFunctions | IWebhookFunctions;

/** n8n validates only properties with a `validateType`; searching all of them takes long. */
const UNVALIDATED = { skipValidation: true };

/**
 * The parameters of one item, from which fields read their values. An expression may return any
 * type, even one that the editor wouldn't accept.
 */
export class Parameters {
	private readonly values = new Map<string, unknown>();
	private copiedNode: INode | undefined;

	/**
	 * @param itemIndex item whose expressions are resolved; a trigger has none
	 * @param constants shared by the items of a run
	 */
	constructor(
		private readonly context: Context,
		readonly itemIndex = 0,
		private readonly constants?: ConstantParameters,
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
		for (const name of this.constants?.varying ?? []) {
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
	 * Whether the workflow gives a field by an expression, regardless of what it returns. Not counted are what a
	 * model may leave out (`$fromAI`), and a collection from one expression that leaves out the field.
	 */
	isGivenByExpression(name: string): boolean {
		const [collection = name, key] = name.split('.');
		const given = Object(this.topLevel(collection));
		if (key !== undefined && this.isExpression(collection) && !Object.hasOwn(given, key))
			return false;
		const expressions = expressionsIn(this.stored(name));
		return expressions.some((text) => /\{\{/.test(text) && !/\$fromAI/i.test(text));
	}

	/** Whether the expression within a fixed text found nothing: "LD-" for "LD-{{ $json.load }}". */
	isOnlyFixedText(name: string, value: unknown): boolean {
		const [expression = ''] = expressionsIn(this.stored(name));
		const [before = '', ...others] = expression.replace(/^=/, '').split('{{');
		const after = others.map((part) => part.slice(part.indexOf('}}') + '}}'.length));
		const fixed = [before, ...after].join('').trim();
		return expression.includes('{{') && fixed !== '' && fixed === String(value).trim();
	}

	/** The node, with expressions as the workflow has them. n8n-core 2.41 copies it for each `getNode`. */
	get node(): INode {
		this.copiedNode ??= this.constants?.node ?? this.context.getNode();
		return this.copiedNode;
	}

	get timezone(): string {
		return this.context.getTimezone();
	}

	get forAgent(): boolean {
		return 'getInputData' in this.context && runsAsTool(this.context);
	}

	/** The input item's JSON; empty in a trigger. */
	get inputItem(): IDataObject {
		if (!('getInputData' in this.context)) return {};
		return this.context.getInputData()[this.itemIndex]?.json ?? {};
	}

	/** Resolved once, so that an expression has the same value on every read. */
	private topLevel(name: string): unknown {
		if (!this.values.has(name)) {
			const lookUp = () => this.lookUp(name);
			this.values.set(name, this.constants ? this.constants.get(name, lookUp) : lookUp());
		}
		return this.values.get(name);
	}

	/** As the workflow has it: its own expression, or the one that gives the whole collection. */
	private stored(name: string): unknown {
		const [collection = name, key] = name.split('.');
		const stored: unknown = this.node.parameters[collection];
		return key === undefined || !isJsonObject(stored) ? stored : stored[key];
	}

	/** n8n-core 2.41 throws for an absent parameter unless there is a fallback. */
	private lookUp(name: string): unknown {
		return 'getInputData' in this.context
			? this.context.getNodeParameter(name, this.itemIndex, null, UNVALIDATED)
			: this.context.getNodeParameter(name, null);
	}
}

/** Values of a run's parameters without expressions: looking them up for each item is slow in n8n. */
export class ConstantParameters {
	private readonly values = new Map<string, unknown>();
	/** Those with expressions that were read so far. */
	readonly varying = new Set<string>();
	/** With expressions, as the workflow has them. */
	readonly node: INode;

	constructor(context: IExecuteFunctions) {
		this.node = context.getNode();
	}

	/** A parameter's value; looked up once unless it has expressions. */
	get(name: string, lookUp: () => unknown): unknown {
		if (this.values.has(name)) return this.values.get(name);
		const value = lookUp();
		if (expressionsIn(this.node.parameters[name]).length > 0) this.varying.add(name);
		else this.values.set(name, value);
		return value;
	}
}

/** The expressions anywhere in a parameter as the workflow stores it. */
export function expressionsIn(stored: unknown): string[] {
	if (typeof stored === 'string') return stored.startsWith('=') ? [stored] : [];
	if (Array.isArray(stored)) return stored.flatMap(expressionsIn);
	return isJsonObject(stored) ? Object.values(stored).flatMap(expressionsIn) : [];
}

/** A parameter with an unusable value. Thrown before anything is sent. */
export class InvalidParameter extends Error {
	/**
	 * @param field the field's display name
	 * @param problem the rest of the sentence after the field's name ("must be …")
	 * @param value what was found, shown shortened
	 */
	constructor(field: string, problem: string, value?: unknown) {
		super(`${field} ${problem}${value === undefined ? '' : ` (it is ${describe(value)})`}`);
		this.name = 'InvalidParameter';
	}
}

const SHOWN_CHARACTERS = 80;

function describe(value: unknown): string {
	if (value === '') return 'empty';
	const text = typeof value === 'string' ? `"${value}"` : asJson(value);
	return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** Expressions can return values without JSON: functions, big integers, circular objects. */
function asJson(value: unknown): string {
	if (typeof value === 'number') return String(value);
	try {
		return JSON.stringify(value) ?? typeof value;
	} catch {
		return typeof value;
	}
}

/** n8n copies the whole node each time it is asked for it. */
const asTool = new WeakMap<IExecuteFunctions, boolean>();

/**
 * Whether an AI agent is using the node, rather than a workflow. The AI Agent node runs its tools
 * as ordinary nodes, where `isToolExecution` returns false (n8n-core 2.41). Then only the node type
 * tells: n8n appends "Tool" to it.
 */
export function runsAsTool(context: IExecuteFunctions): boolean {
	const known = asTool.get(context);
	if (known !== undefined) return known;
	const isTool = context.isToolExecution?.() === true || isToolType(context.getNode().type);
	asTool.set(context, isTool);
	return isTool;
}

export function isToolType(type: string): boolean {
	return type.endsWith('Tool');
}
