/** Two spellings of a load are the same if their keys are: "Load #48213 " and "48213". */
export function loadKey(load: string): string {
	const words = load.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
	const key = words
		.replace(/^(?:load(?![a-z0-9])\s*(?:(?:id|number|no|nr)(?![a-z0-9]))?)?[\s.:#-]*/, '')
		.replace(/^0+(?=\d+$)/, '');
	return key === '' ? words : key;
}

/** The keys of the loads that a field of a record names: one load, a list, or text with several. */
export function loadsIn(field: unknown): string[] {
	const named: unknown[] = Array.isArray(field) ? field : [field];
	const texts = named.flatMap((load) =>
		typeof load === 'string' || typeof load === 'number' ? [String(load)] : [],
	);
	const keys = texts.flatMap((text) => [text, ...text.split(/[,;|\n]/)]).map(loadKey);
	return [...new Set(keys.filter((key) => key !== ''))];
}
