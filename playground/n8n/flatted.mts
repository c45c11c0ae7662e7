/**
 * Reads the form in which n8n hands out an execution's data (flatted): a list whose first entry is
 * the value, in which every text stands for the place of another entry.
 */
export function unflatten(text: string): unknown {
	const entries: unknown = JSON.parse(text);
	if (!Array.isArray(entries)) return entries;
	const built = new Map<number, unknown>();
	const at = (place: number): unknown => {
		if (built.has(place)) return built.get(place);
		const entry: unknown = entries[place];
		if (typeof entry !== 'object' || entry === null) return entry;
		const copy: Record<string, unknown> | unknown[] = Array.isArray(entry) ? [] : {};
		// Remembered before it is filled: an entry may contain itself.
		built.set(place, copy);
		for (const [key, value] of Object.entries(entry)) {
			Object.assign(copy, { [key]: typeof value === 'string' ? at(Number(value)) : value });
		}
		return copy;
	};
	return at(0);
}
