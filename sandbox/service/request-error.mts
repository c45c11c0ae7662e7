import * as z from 'zod';

/**
 * The response to a request the sandbox can't serve. Contract 7 shows no shape, so this is the
 * sandbox's own.
 */
export interface ErrorBody {
	message: string;
	/** The first invalid field. */
	field?: string;
	/** All invalid fields. */
	errors?: { field: string; message: string }[];
}

/** A request that is rejected with a status and a JSON body. */
export class RequestError extends Error {
	readonly status: number;
	readonly body: ErrorBody;

	constructor(status: number, body: ErrorBody) {
		super(body.message);
		this.status = status;
		this.body = body;
	}
}

function namedErrors(error: z.ZodError, where: string): { field: string; message: string }[] {
	return error.issues.flatMap((issue) => {
		const path = issue.path.map(String);
		if (issue.code === 'unrecognized_keys') {
			return issue.keys.map((key) => ({
				field: [...path, key].join('.'),
				message: `is not a parameter of the ${where}`,
			}));
		}
		const missing = issue.code === 'invalid_type' && issue.input === undefined;
		const message = missing ? 'is required' : issue.message;
		return [{ field: path.join('.') || where, message }];
	});
}

/** Parses the value with the schema. Throws a 400 that names the field. */
export function validate<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
	where: 'query' | 'body' | 'path',
): z.output<Schema> {
	const parsed = schema.safeParse(value, { reportInput: true });
	if (parsed.success) return parsed.data;
	const errors = namedErrors(parsed.error, where);
	const [first] = errors;
	throw new RequestError(400, {
		message: first ? `${first.field} ${first.message}` : `The ${where} cannot be read`,
		field: first?.field ?? where,
		errors,
	});
}

/** Converts a query's numbers. Anything else stays text, for the schema to reject. */
export function coerceNumbers(query: unknown, names: readonly string[]): unknown {
	if (typeof query !== 'object' || query === null) return query;
	const entries = Object.entries(query).map(([name, value]: [string, unknown]) => {
		const numeric = typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value);
		return [name, numeric && names.includes(name) ? Number(value) : value];
	});
	return Object.fromEntries(entries);
}
