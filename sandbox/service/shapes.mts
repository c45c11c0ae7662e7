import type { Asked } from './endpoint.mts';

export interface PageAsked {
	offset: number;
	limit: number;
}

/** The page that is really read when list faults strike. */
export function pageRead(page: PageAsked, { shapes }: Asked): PageAsked {
	let { offset, limit } = page;
	for (const { fault } of shapes) {
		if (fault.kind === 'repeatPage') offset = Math.max(0, offset - limit);
		if (fault.kind === 'clampLimit') limit = Math.min(limit, fault.max);
	}
	return { offset, limit };
}

/** The pagination that is answered when list faults strike. */
export function paginationTold(
	pagination: Record<string, unknown> & { total: number },
	{ shapes }: Asked,
): Record<string, unknown> {
	const told: Record<string, unknown> = { ...pagination };
	for (const { fault, strike } of shapes) {
		if (fault.kind === 'totalDrift') told['total'] = pagination.total + fault.by * strike;
		if (fault.kind === 'total') told['total'] = fault.value === 'missing' ? undefined : fault.value;
	}
	return told;
}
