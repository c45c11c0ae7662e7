// What `npm start` runs. Every version of Node.js can run this file; the rest needs Node.js 24, which
// `npm install` puts first on the PATH of npm scripts (the package "node").
import { existsSync } from 'node:fs';
import process from 'node:process';

const MINIMUM = 24;
const root = new URL('..', import.meta.url);

if (!existsSync(new URL('node_modules/.package-lock.json', root))) {
	stop('The dependencies are not installed. Run "npm install", then "npm start".');
}
if (Number(process.versions.node.split('.')[0]) < MINIMUM) {
	stop(
		`Node.js ${MINIMUM} or newer is required, and this is ${process.versions.node}. Run "npm start", which uses the Node.js that "npm install" installed.`,
	);
}
await import('./start.mts');

/** @param {string} message */
function stop(message) {
	console.error(message);
	process.exit(2);
}
