import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const require = createRequire(join(root, 'package.json'));

/** What a test file must have for itself. */
const own: Record<string, object> = {
	'n8n-core': require('n8n-core').DataDeduplicationService,
	'n8n-workflow': require('n8n-workflow').LoggerProxy,
	"n8n's services": require('@n8n/di').Container.get(require('@n8n/backend-common').Logger),
	axios: require('axios').default.defaults.headers.common,
	'the build': require(join(root, 'dist/nodes/shared/ipLibrary.js')),
	'a source file': jest.requireActual(join(root, 'nodes/shared/ipLibrary.ts')),
	'the environment': process.env,
	'the globals': globalThis,
	timers: globalThis.setTimeout,
	chance: Math.random,
};

/** Where `leaveTraces` of another test file is noticed. */
export function foundTraces(): string[] {
	const found = Object.keys(own).filter((name) => 'trace' in Object(own[name]));
	return new Date().getUTCFullYear() === 1970 ? [...found, 'the clock'] : found;
}

/** Leaves traces as careless tests do: nothing is restored. */
export function leaveTraces(): void {
	globalThis.setTimeout = Object.assign(setTimeout.bind(null), setTimeout);
	own['timers'] = globalThis.setTimeout;
	own['chance'] = jest.spyOn(Math, 'random');
	for (const place of Object.values(own)) Object.assign(place, { trace: 'left' });
	jest.useFakeTimers({ now: 0 });
}
