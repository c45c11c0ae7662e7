import type { RequestContext } from './endpoint.mts';

export interface Page {
	offset: number;
	limit: number;
}

/** The page to read, with list faults applied. */
export function applyPageFaults(page: Page, { listFaults }: RequestContext): Page {
	let { offset, limit } = page;
	for (const { fault } of listFaults) {
		if (fault.kind === 'repeatPage') offset = Math.max(0, offset - limit);
		if (fault.kind === 'clampLimit') limit = Math.min(limit, fault.max);
	}
	return { offset, limit };
}

/** The pagination to report, with list faults applied. */
export function applyPaginationFaults(
	pagination: Record<string, unknown> & { total: number },
	{ listFaults }: RequestContext,
): Record<string, unknown> {
	const reported: Record<string, unknown> = { ...pagination };
	for (const { fault, strike } of listFaults) {
		if (fault.kind === 'totalDrift') reported['total'] = pagination.total + fault.by * strike;
		if (fault.kind === 'total')
			reported['total'] = fault.value === 'missing' ? undefined : fault.value;
	}
	return reported;
}
