import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents. Node.js's own recursive mkdir never returns for some paths that
 * can't be created (Node.js 24: below /proc).
 * @throws the system's error for the folder that could not be created
 */
export function makeFolder(path: string): void {
	if (existsSync(path)) return;
	const parent = dirname(path);
	if (parent !== path) makeFolder(parent);
	mkdirSync(path);
}
