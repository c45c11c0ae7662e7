import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { InvalidParameter } from './invalidParameter';
import { runsAsTool } from './runsAsTool';

type Context = IExecuteFunctions | IPollFunctions | IWebhookFunctions;

interface Constants {
	stored: INodeParameters;
	values: Map<string, unknown>;
}

/** By a node's run: the values without an expression, which are read once for all of its items. */
const constants = new WeakMap<Context, Constants>();

/**
 * A node's parameters for one item, from which the fields read their values. Expressions may return
 * any type, whatever the editor would allow.
 */
export class Parameters {
	private readonly values = new Map<string, unknown>();

	/** @param itemIndex item whose expressions are resolved; a trigger has none */
	constructor(
		private readonly context: Context,
		readonly itemIndex = 0,
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

	/** Resolved once, so an expression has the same value each time it is read. */
	private topLevel(name: string): unknown {
		const { stored, values } = constantsOf(this.context);
		if (values.has(name)) return values.get(name);
		if (this.values.has(name)) return this.values.get(name);
		const value = this.lookUp(name);
		(hasExpression(stored[name]) ? this.values : values).set(name, value);
		return value;
	}

	/** n8n-core 2.41 throws for an absent parameter unless it is given a fallback. */
	private lookUp(name: string): unknown {
		return 'getInputData' in this.context
			? this.context.getNodeParameter(name, this.itemIndex, null)
			: this.context.getNodeParameter(name, null);
	}
}

function constantsOf(context: Context): Constants {
	const known = constants.get(context) ?? {
		stored: context.getNode().parameters,
		values: new Map<string, unknown>(),
	};
	constants.set(context, known);
	return known;
}

/** n8n-workflow 2.41 (`isExpression`): text that begins with an equals sign. */
function hasExpression(stored: unknown): boolean {
	if (typeof stored === 'string') return stored.startsWith('=');
	return typeof stored === 'object' && stored !== null && Object.values(stored).some(hasExpression);
}
