import type {
	IDataObject,
	IExecuteFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { InvalidParameter } from './invalidParameter';
import { runsAsTool } from './runsAsTool';

type Context = IExecuteFunctions | IPollFunctions | IWebhookFunctions;

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

	/** Whether one expression gives the whole parameter, such as a collection. */
	isExpression(name: string): boolean {
		const stored = this.context.getNode().parameters[name];
		return typeof stored === 'string' && stored.startsWith('=');
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
		if (!this.values.has(name)) this.values.set(name, this.lookUp(name));
		return this.values.get(name);
	}

	/** n8n-core 2.41 throws for an absent parameter unless it is given a fallback. */
	private lookUp(name: string): unknown {
		return 'getInputData' in this.context
			? this.context.getNodeParameter(name, this.itemIndex, null)
			: this.context.getNodeParameter(name, null);
	}
}
