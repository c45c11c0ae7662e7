import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isJsonObject } from '../service/http/json';
import { expressionsIn, type ConstantParameters } from './constantParameters';
import { InvalidParameter } from './invalidParameter';
import { runsAsTool } from './runsAsTool';

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
				throw new InvalidParameter(collection, 'must be a set of fields', value);
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
	 * Whether the workflow gives a field by an expression, whatever that returns. Not counted are what a
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
		const fixed = expression.replaceAll(/^=|\{\{[^]*?\}\}/g, '').trim();
		return expression.includes('{{') && fixed !== '' && fixed === String(value).trim();
	}

	/** The node, with expressions as the workflow has them. n8n-core 2.41 copies it for each `getNode`. */
	get node(): INode {
		this.copiedNode ??= this.constants?.node ?? this.context.getNode();
		return this.copiedNode;
	}

	/** IANA name of the workflow's time zone. */
	get timezone(): string {
		return this.context.getTimezone();
	}

	/** Whether an AI agent uses the node as a tool. */
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
