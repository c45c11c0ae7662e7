import * as z from 'zod';

type Tolerant<Shape extends z.ZodRawShape> = {
	[Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key] & z.core.SomeType>>;
};

/**
 * Makes every field of a schema nullable and optional: contract 2.9 doesn't show which response
 * fields may be null or absent. Unknown fields are accepted anyway.
 */
export function tolerant<Shape extends z.ZodRawShape>(
	schema: z.ZodObject<Shape>,
	id: string,
): z.ZodObject<Tolerant<Shape>, z.core.$loose> {
	const shape = Object.fromEntries(
		Object.entries(schema.shape).map(([key, field]) => [key, z.nullish(field)]),
	);
	// Object.fromEntries loses the keys, which the mapped type restores.
	return z.looseObject(shape as Tolerant<Shape>).meta({ id });
}
