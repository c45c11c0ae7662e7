import * as z from 'zod';

/** Contract 2.1. */
export const paginationSchema = z
	.object({ limit: z.int(), offset: z.int(), total: z.int() })
	.meta({ id: 'Pagination' });

/** Contract 2.1: the carriers list reports nothing else. */
export const totalOnlySchema = z.object({ total: z.int() }).meta({ id: 'TotalOnly' });
