import fc from 'fast-check';
import { type Described, type Parameter, resolved, type Schema } from './document.mts';

/** Values by parameter name, as they are sent. */
export interface DrawnRequest {
	parameters: Record<string, unknown>;
	body: unknown;
}

const anything = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constant(null),
	fc.jsonValue({ maxDepth: 3 }),
);

/** Values that a schema describes. */
function valid(given: Schema): fc.Arbitrary<unknown> {
	const schema = resolved(given);
	if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid));
	if (schema.enum) return fc.constantFrom(...schema.enum);
	if (Array.isArray(schema.type)) {
		return fc.oneof(...schema.type.map((type) => valid({ ...schema, type })));
	}
	const { minimum: min, maximum: max } = schema;
	const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
	switch (schema.type) {
		case 'string':
			return text(schema);
		case 'integer':
			return fc.integer(small(bounds));
		case 'number':
			return fc.double({ ...bounds, noNaN: true, noDefaultInfinity: true });
		case 'boolean':
			return fc.boolean();
		case 'object':
			return object(schema);
		default:
			return fc.jsonValue({ maxDepth: 3 });
	}
}

/** fc.integer draws 32 bits at most. */
const small = ({ min = -(2 ** 31), max = 2 ** 31 - 1 }: { min?: number; max?: number }) => ({
	min: Math.max(min, -(2 ** 31)),
	max: Math.min(max, 2 ** 31 - 1),
});

function text({ pattern, minLength = 0 }: Schema): fc.Arbitrary<string> {
	if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
	return fc.string({ minLength, unit: fc.constantFrom(...'aB7 ,;&%+/?#"\'\\éß漢😀') });
}

function object(schema: Schema): fc.Arbitrary<unknown> {
	const fields = Object.entries(schema.properties ?? {});
	const known = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valid(field)])), {
		requiredKeys: schema.required ?? [],
	});
	const more = schema.additionalProperties;
	if (typeof more !== 'object') return known;
	const extra = fc.dictionary(fc.string(), valid(more), { maxKeys: 4 });
	return fc.tuple(extra, known).map(([one, other]) => ({ ...one, ...other }));
}

/** Requests as the document describes them. */
export function validRequests({ parameters = [], body }: Described): fc.Arbitrary<DrawnRequest> {
	const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
	const drawn = fc.record(
		Object.fromEntries(parameters.map(({ name, schema }) => [name, valid(schema)])),
		{ requiredKeys: required },
	);
	return fc.record({ parameters: drawn, body: body ? valid(body) : fc.constant(undefined) });
}

/** Requests with one parameter or body field missing or replaced by anything at all. */
export function brokenRequests(operation: Described): fc.Arbitrary<DrawnRequest> {
	const { parameters = [], body } = operation;
	const query = parameters.filter((parameter: Parameter) => parameter.in === 'query');
	const fields = Object.keys(body ? (resolved(body).properties ?? {}) : {});
	const names = [...query.map(({ name }) => name), ...fields];
	if (names.length === 0) return validRequests(operation);
	const change = fc.record({ name: fc.constantFrom(...names, 'unknownField'), value: anything });
	const changed = fc
		.tuple(validRequests(operation), change, fc.boolean())
		.map(([request, { name, value }, removes]) => {
			const inQuery = query.some((parameter) => parameter.name === name);
			const target = inQuery ? request.parameters : Object(request.body);
			const kept = Object.entries(target).filter(([key]) => key !== name);
			const next = Object.fromEntries(removes ? kept : [...kept, [name, value]]);
			return inQuery ? { ...request, parameters: next } : { ...request, body: body && next };
		});
	const replaced = fc
		.tuple(validRequests(operation), anything)
		.map(([request, value]) => ({ ...request, body: value }));
	return body ? fc.oneof({ weight: 4, arbitrary: changed }, replaced) : changed;
}
