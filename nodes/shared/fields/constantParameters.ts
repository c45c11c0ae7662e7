import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { isJsonObject } from '../service/http/json';

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
