import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and the ones above it. Node.js' own recursive mkdir never returns for some paths
 * that cannot be made (nodejs 24: below /proc).
 * @throws the system's error for the folder that could not be made
 */
export function makeFolder(path: string): void {
	if (existsSync(path)) return;
	const parent = dirname(path);
	if (parent !== path) makeFolder(parent);
	mkdirSync(path);
}
