import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

// Nothing here runs Docker: what can be checked without it is checked.
const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const composeSchema = z.object({
	services: z.record(
		z.string(),
		z.object({
			build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
			image: z.string().optional(),
			command: z.string().optional(),
			healthcheck: z.object({ test: z.array(z.string()) }).optional(),
			environment: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
			depends_on: z.record(z.string(), z.unknown()).optional(),
		}),
	),
});
const { services } = composeSchema.parse(parse(read('docker/compose.yaml'), { merge: true }));
const n8n = Object.entries(services).filter(([, { build }]) => build !== undefined);

/** In the configuration of n8n 2.41, and not yet in the one that its n8n-core brings here. */
const NEWER = ['N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE'];

/** Every environment variable that n8n's configuration declares. */
function knownVariables(): Set<string> {
	const packages = ['@n8n/config', 'n8n-core'];
	const folders = packages.map((name) => join(root, 'node_modules', name, 'dist'));
	const files = folders.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.js'))
			.map((file) => readFileSync(join(folder, file), 'utf8')),
	);
	const names = files.flatMap((text) => [...text.matchAll(/Env\)\('([A-Z0-9_]+)'/g)]);
	return new Set([...names.map(([, name = '']) => name), ...NEWER]);
}

it('is one main process, two workers and two webhook processes, by the commands n8n has', () => {
	const commands = n8n.map(([, { command }]) => command ?? 'start');
	expect(commands.sort()).toEqual(['start', 'webhook', 'webhook', 'worker', 'worker']);
});

it('sets only variables that n8n knows', () => {
	const known = knownVariables();
	expect(known.size).toBeGreaterThan(300);
	const used = n8n.flatMap(([, { environment = {} }]) => Object.keys(environment));
	expect(used.length).toBeGreaterThan(5 * 8);
	// A module of the package n8n declares this one (2.41: `community-packages.config.js`).
	known.add('N8N_UNVERIFIED_PACKAGES_ENABLED');
	expect(used.filter((name) => !known.has(name))).toEqual([]);
});

it('gives all of n8n the same database, queue and key', () => {
	const shared = (environment: Record<string, string | number> = {}) =>
		Object.entries(environment).filter(([name]) =>
			/^(DB_|QUEUE_|EXECUTIONS_|N8N_ENCRYPTION)/.test(name),
		);
	const [main, ...others] = n8n.map(([, { environment }]) => shared(environment));
	expect(main).toContainEqual(['EXECUTIONS_MODE', 'queue']);
	for (const other of others) expect(other).toEqual(main);
});

it('refers to services, files and folders that exist', () => {
	const names = Object.keys(services);
	const hosts = [...read('docker/Caddyfile').matchAll(/\b([a-z0-9-]+):5678/g)].map(
		([, host]) => host,
	);
	expect(hosts.sort()).toEqual(['main', 'webhook-1', 'webhook-2']);
	for (const [, { environment = {}, depends_on = {}, build }] of n8n) {
		const others = [environment['DB_POSTGRESDB_HOST'], environment['QUEUE_BULL_REDIS_HOST']];
		expect(names).toEqual(expect.arrayContaining([...others, ...Object.keys(depends_on)]));
		const dockerfile = join('docker', build?.context ?? '', build?.dockerfile ?? '');
		expect(dockerfile).toBe('docker/Dockerfile');
	}
});

it('puts the package where n8n looks for it, with the files that are published', () => {
	const { name } = z.object({ name: z.string() }).parse(JSON.parse(read('package.json')));
	const dockerfile = read('docker/Dockerfile');
	expect(dockerfile).toContain(`WORKDIR /home/node/.n8n/nodes/node_modules/${name}\n`);
	const copied = [...dockerfile.matchAll(/^COPY --chown=node:node (.+) \S+$/gm)].flatMap(
		([, files = '']) => files.split(' '),
	);
	const sent = read('docker/Dockerfile.dockerignore')
		.match(/^!.+$/gm)
		?.map((line) => line.slice(1));
	expect(copied.sort()).toEqual(sent?.sort());
});

it("docker/ names exact versions of all images, and digests of all but n8n's own", () => {
	const images = Object.values(services).flatMap(({ image }) => image ?? []);
	const [base = ''] = /(?<=^FROM ).+$/m.exec(read('docker/Dockerfile')) ?? [];
	expect(images).toHaveLength(3);
	for (const image of images)
		expect(image).toMatch(/:\d+\.\d+(\.\d+)?-alpine@sha256:[0-9a-f]{64}$/);
	expect(base).toMatch(/:\d+\.\d+\.\d+$/);
});

it('the recipe in docker/README.md makes docker/.env once, readable by its owner only, and Git ignores it', () => {
	const folder = mkdtempSync(join(tmpdir(), 'docker-recipe-'));
	try {
		mkdirSync(join(folder, 'docker'));
		const [, recipe = ''] = /```sh\n(.+?)```/s.exec(read('docker/README.md')) ?? [];
		const lines = recipe.split('\n').filter((line) => !/^(npm|docker) /.test(line));
		const run = () => execFileSync('sh', ['-ec', lines.join('\n')], { cwd: folder });
		const file = join(folder, 'docker/.env');
		run();
		const first = readFileSync(file, 'utf8');
		run();
		expect(readFileSync(file, 'utf8')).toBe(first);
		expect(first).toMatch(/^N8N_ENCRYPTION_KEY=\w{64}\nPOSTGRES_PASSWORD=\w{32}\n$/);
		expect(statSync(file).mode & 0o077).toBe(0);
	} finally {
		rmSync(folder, { recursive: true });
	}
	const ignored = execFileSync('git', ['check-ignore', 'docker/.env'], { cwd: root });
	expect(ignored.toString().trim()).toBe('docker/.env');
});

it('asks n8n for its readiness, where it receives events, in the healthcheck and in the proxy', () => {
	const answering = n8n.filter(([, { command }]) => command !== 'worker');
	expect(answering).toHaveLength(3);
	for (const [, { healthcheck }] of answering) {
		expect(healthcheck?.test.join(' ')).toContain(':5678/healthz/readiness');
	}
	const proxies = read('docker/Caddyfile').match(/reverse_proxy [^{]*{[^}]*import ready/g);
	expect(proxies).toHaveLength(2);
	expect(read('docker/Caddyfile')).toContain('health_uri /healthz/readiness');
});
