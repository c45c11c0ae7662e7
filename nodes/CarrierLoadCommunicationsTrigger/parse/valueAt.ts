import { ownField } from '../../shared/events/eventParts';

/** The value at a path such as `data.event.id` or `events.0.id`; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
	let found = value;
	for (const step of path.split('.').map((part) => part.trim())) {
		found =
			Array.isArray(found) && /^\d+$/.test(step) ? found[Number(step)] : ownField(found, step);
	}
	return found;
}
