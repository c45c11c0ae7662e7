/**
 * Parses the format in which n8n returns an execution's data (flatted): a list whose first entry is
 * the value, where every string is the index of another entry.
 */
export function unflatten(text: string): unknown {
	const entries: unknown = JSON.parse(text);
	if (!Array.isArray(entries)) return entries;
	const built = new Map<number, unknown>();
	const at = (index: number): unknown => {
		if (built.has(index)) return built.get(index);
		const entry: unknown = entries[index];
		if (typeof entry !== 'object' || entry === null) return entry;
		const copy: Record<string, unknown> | unknown[] = Array.isArray(entry) ? [] : {};
		// Stored before it is filled, because an entry may contain itself.
		built.set(index, copy);
		for (const [key, value] of Object.entries(entry)) {
			Object.assign(copy, { [key]: typeof value === 'string' ? at(Number(value)) : value });
		}
		return copy;
	};
	return at(0);
}
