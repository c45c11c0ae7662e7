import * as z from 'zod';

type Tolerant<Shape extends z.ZodRawShape> = {
	[Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key] & z.core.SomeType>>;
};

/**
 * The same object with every field free to be null or absent: contract 2.9 does not show which
 * response fields may be. Unknown fields are let through either way.
 */
export function tolerant<Shape extends z.ZodRawShape>(
	schema: z.ZodObject<Shape>,
	id: string,
): z.ZodObject<Tolerant<Shape>, z.core.$loose> {
	const shape = Object.fromEntries(
		Object.entries(schema.shape).map(([key, field]) => [key, z.nullish(field)]),
	);
	// Object.fromEntries forgets the keys; the mapped type says them again.
	return z.looseObject(shape as Tolerant<Shape>).meta({ id });
}
