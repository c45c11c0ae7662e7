// What `npm start` runs. Every version of Node.js can read this file; the rest needs Node.js 24,
// which `npm install` puts first on the path of npm scripts (the package "node").
import { existsSync } from 'node:fs';
import process from 'node:process';

const OLDEST = 24;
const root = new URL('..', import.meta.url);

if (!existsSync(new URL('node_modules/.package-lock.json', root))) {
	stop('The dependencies are not installed: run "npm install" first, then "npm start"');
}
if (Number(process.versions.node.split('.')[0]) < OLDEST) {
	stop(
		`Node.js ${OLDEST} or newer is needed and this is ${process.versions.node}: start with "npm start", which uses the Node.js that "npm install" brought along`,
	);
}
await import('./start.mts');

/** @param {string} message */
function stop(message) {
	console.error(message);
	process.exit(2);
}
