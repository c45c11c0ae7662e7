import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from '@redocly/ajv/dist/2020.js';

/** A JSON schema, as far as sandbox/openapi.json uses them. */
export interface Schema {
	$ref?: string;
	type?: string | string[];
	enum?: string[];
	anyOf?: Schema[];
	pattern?: string;
	minLength?: number;
	minimum?: number;
	maximum?: number;
	properties?: Record<string, Schema>;
	required?: string[];
	additionalProperties?: boolean | Schema;
}

export interface Parameter {
	name: string;
	in: 'query' | 'path';
	required?: boolean;
	schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

interface Operation {
	operationId: string;
	parameters?: Parameter[];
	requestBody?: { content: Content };
	responses: Record<string, { content?: Content }>;
}

/** One operation of the sandbox's OpenAPI document. */
export interface Described extends Operation {
	method: string;
	path: string;
	body: Schema | undefined;
}

const file = join(__dirname, '..', '..', '..', '..', 'sandbox', 'openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as {
	paths: Record<string, Record<string, Operation>>;
	components: { schemas: Record<string, Schema> };
};

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'openapi');

export const operations: Described[] = Object.entries(document.paths).flatMap(([path, item]) =>
	Object.entries(item).map(([method, operation]) => {
		const body = operation.requestBody?.content['application/json']?.schema;
		return { ...operation, method: method.toUpperCase(), path, body };
	}),
);

/** The schema that a reference names, or the schema itself. */
export function resolved(schema: Schema): Schema {
	const name = schema.$ref?.split('/').at(-1);
	return name === undefined ? schema : (document.components.schemas[name] ?? schema);
}

/** A validator of a schema of the document. */
export function validatorOf(schema: Schema): ValidateFunction {
	return ajv.compile(schema.$ref ? { $ref: `openapi${schema.$ref}` } : schema);
}
