import { createHash } from 'crypto';

/** A short hash of plain values. */
export function digest(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
