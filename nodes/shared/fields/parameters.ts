import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidParameter } from './invalidParameter';

/** A field as the reader names it: where its value is, and what the user sees above it. */
export interface Field {
	/** Parameter name; `collection.name` for a field inside a collection. */
	name: string;
	displayName: string;
	/** Longest text that is taken, in characters. */
	maxLength?: number;
}

/** Far above any name, number or place, far below what a web address may hold. */
const MAX_TEXT_LENGTH = 1000;

/**
 * Reads the fields of one item, checked and typed. Expressions may hand over any type in any
 * field, whatever the editor would have allowed.
 */
export class Parameters {
	readonly itemIndex: number;
	private readonly context: IExecuteFunctions;
	private readonly collections = new Map<string, unknown>();

	constructor(context: IExecuteFunctions, itemIndex: number) {
		this.context = context;
		this.itemIndex = itemIndex;
	}

	/** The value of a field; undefined when the field is absent, empty or null. */
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

	/** @throws InvalidParameter when the field is empty or not text */
	text(field: Field): string {
		const value = this.optionalText(field);
		if (value === undefined) throw new InvalidParameter(field.displayName, 'is required', '');
		return value;
	}

	/** Trimmed text, numbers taken as text; undefined when empty. */
	optionalText(field: Field): string | undefined {
		const value = this.raw(field.name);
		if (value === undefined) return undefined;
		if (typeof value === 'number' && Number.isFinite(value)) return String(value);
		if (typeof value !== 'string')
			throw new InvalidParameter(field.displayName, 'must be text', value);
		const text = value.trim();
		const maxLength = field.maxLength ?? MAX_TEXT_LENGTH;
		if (text.length > maxLength) {
			const problem = `must be at most ${maxLength} characters long, it has ${text.length}`;
			throw new InvalidParameter(field.displayName, problem, text);
		}
		return text === '' ? undefined : text;
	}

	/** Texts of a list, or of one text with commas: trimmed, without empty and repeated ones. */
	texts(field: Field): string[] {
		const value = this.raw(field.name);
		const listed: unknown[] = Array.isArray(value) ? value : [value];
		const texts = listed.flatMap((entry) => {
			if (entry === undefined || entry === null) return [];
			if (typeof entry !== 'string') {
				throw new InvalidParameter(field.displayName, 'must be a list of texts', value);
			}
			return entry.split(',').map((text) => text.trim());
		});
		const distinct = [...new Set(texts)].filter((text) => text !== '');
		if (distinct.join().length > MAX_TEXT_LENGTH) {
			const problem = `must be at most ${MAX_TEXT_LENGTH} characters long in all`;
			throw new InvalidParameter(field.displayName, problem, value);
		}
		return distinct;
	}

	/** @throws InvalidParameter when empty, not a whole number, or out of bounds */
	wholeNumber(field: Field, bounds: { min: number; max?: number }): number {
		const value = this.optionalWholeNumber(field, bounds);
		if (value === undefined) throw new InvalidParameter(field.displayName, 'is required', '');
		return value;
	}

	optionalWholeNumber(field: Field, bounds: { min: number; max?: number }): number | undefined {
		const value = this.optionalNumber(field, bounds);
		if (value === undefined || Number.isSafeInteger(value)) return value;
		throw new InvalidParameter(field.displayName, 'must be a whole number', value);
	}

	optionalNumber(field: Field, bounds: { min: number; max?: number }): number | undefined {
		const value = this.raw(field.name);
		if (value === undefined || (typeof value === 'string' && value.trim() === '')) return undefined;
		const number = typeof value === 'string' ? Number(value) : value;
		if (typeof number !== 'number' || !Number.isFinite(number)) {
			throw new InvalidParameter(field.displayName, 'must be a number', value);
		}
		if (number < bounds.min) {
			throw new InvalidParameter(field.displayName, `must be ${bounds.min} or more`, value);
		}
		if (bounds.max !== undefined && number > bounds.max) {
			throw new InvalidParameter(field.displayName, `must be ${bounds.max} or less`, value);
		}
		return number;
	}

	flag(field: Field): boolean {
		return this.optionalFlag(field) ?? false;
	}

	optionalFlag(field: Field): boolean | undefined {
		const value = this.raw(field.name);
		if (value === undefined || typeof value === 'boolean') return value;
		if (value === 'true') return true;
		if (value === 'false') return false;
		throw new InvalidParameter(field.displayName, 'must be true or false', value);
	}

	optionalChoice<Choice extends string>(
		field: Field,
		choices: readonly Choice[],
	): Choice | undefined {
		const value = this.raw(field.name);
		if (value === undefined) return undefined;
		const choice = choices.find((candidate) => candidate === value);
		if (choice !== undefined) return choice;
		throw new InvalidParameter(field.displayName, `must be one of ${choices.join(', ')}`, value);
	}

	/** Resolved once: an item's expressions give the same value however often they are read. */
	private topLevel(name: string): unknown {
		if (!this.collections.has(name)) {
			// n8n-core 2.41 throws for an absent parameter unless the fallback is something.
			this.collections.set(name, this.context.getNodeParameter(name, this.itemIndex, null));
		}
		return this.collections.get(name);
	}
}
