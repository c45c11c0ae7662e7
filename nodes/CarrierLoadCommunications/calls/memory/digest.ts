import { hash } from 'crypto';

/** A short hash of plain values. */
export function digest(value: unknown): string {
	return hash('sha256', JSON.stringify(value)).slice(0, 32);
}
