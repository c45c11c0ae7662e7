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
	readonly values = new Map<string, unknown>();
	readonly varying = new Set<string>();
	/** With expressions, as the workflow has them. */
	readonly node: INode;

	constructor(context: Context) {
		this.node = context.getNode();
	}
}

/** Those of one item: an expression may return any type, even one that the editor wouldn't accept. */
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

	/** A field's own expressions, or the one that gives its whole collection. */
	expressionsOf(name: string): string[] {
		const [collection = name, key] = name.split('.');
		const stored: unknown = this.node.parameters[collection];
		return expressionsIn(key === undefined || !isJsonObject(stored) ? stored : stored[key]);
	}

	get node(): INode {
		return this.constants.node;
	}

	get timezone(): string {
		return this.context.getTimezone();
	}

	get forAgent(): boolean {
		return 'getInputData' in this.context && runsAsTool(this.context, this.node);
	}

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

export function showHint(context: IExecuteFunctions, type: 'info' | 'warning', message: string) {
	// Older versions of n8n have no hints.
	context.addExecutionHints?.({ message, type, location: 'outputPane' });
}

export function isToolType(type: string): boolean {
	return type.endsWith('Tool');
}
