import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isJsonObject } from '../service/http/json';
import { InvalidParameter } from './invalidParameter';
import { runsAsTool } from './runsAsTool';

type Context = IExecuteFunctions | IPollFunctions | IWebhookFunctions;

/** Values of a run's parameters without expressions: n8n takes long to look them up for each item. */
export class ConstantParameters {
	private readonly values = new Map<string, unknown>();
	private readonly stored: INodeParameters;

	constructor(context: IExecuteFunctions) {
		this.stored = context.getNode().parameters;
	}

	/** A parameter's value; looked up once unless it has expressions. */
	get(name: string, lookUp: () => unknown): unknown {
		if (expressionsIn(this.stored[name]).length > 0) return lookUp();
		if (!this.values.has(name)) this.values.set(name, lookUp());
		return this.values.get(name);
	}
}

/**
 * The parameters of one item, from which fields read their values. An expression may return any
 * type, even one that the editor wouldn't accept.
 */
export class Parameters {
	private readonly values = new Map<string, unknown>();
	/** As the workflow has them, with expressions. */
	private stored: INodeParameters | undefined;

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

	/** Whether one expression gives the whole parameter, such as a collection. */
	isExpression(name: string): boolean {
		// n8n-core 2.41 copies the whole node for each `getNode`.
		this.stored ??= this.context.getNode().parameters;
		const value = this.stored[name];
		return typeof value === 'string' && value.startsWith('=');
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

	/** n8n-core 2.41 throws for an absent parameter unless there is a fallback. */
	private lookUp(name: string): unknown {
		return 'getInputData' in this.context
			? this.context.getNodeParameter(name, this.itemIndex, null)
			: this.context.getNodeParameter(name, null);
	}
}

/** The expressions anywhere in a parameter as the workflow stores it. */
export function expressionsIn(stored: unknown): string[] {
	if (typeof stored === 'string') return stored.startsWith('=') ? [stored] : [];
	if (Array.isArray(stored)) return stored.flatMap(expressionsIn);
	return isJsonObject(stored) ? Object.values(stored).flatMap(expressionsIn) : [];
}
