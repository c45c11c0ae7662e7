// A folder under nodes/shared has at least two users among the nodes and credentials. A folder with
// one user belongs to that user. The other rules for imports are in .dependency-cruiser.mjs.
import { resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';

const root = resolve(import.meta.dirname, '..');

/** "nodes/CarrierLoadCommunications" or "credentials"; undefined for a shared file. */
function userOf(file: string): string | undefined {
	const [user] = /^(nodes\/(?!shared\/)[^/]+|credentials)(?=\/)/.exec(file) ?? [];
	return user;
}

const roomOf = (file: string) => file.slice(0, file.lastIndexOf('/'));

/** Which users each shared file has, directly or through another shared file. */
function usersOfFiles({ modules }: ICruiseResult): Map<string, Set<string>> {
	const users = new Map<string, Set<string>>();
	const imports = new Map(modules.map(({ source, dependencies }) => [source, dependencies]));
	const visit = (file: string, user: string) => {
		for (const { resolved } of imports.get(file) ?? []) {
			const known = users.get(resolved) ?? new Set();
			if (!resolved.startsWith('nodes/shared/') || known.has(user)) continue;
			users.set(resolved, known.add(user));
			visit(resolved, user);
		}
	};
	for (const file of imports.keys()) {
		const user = userOf(file);
		if (user !== undefined) visit(file, user);
	}
	return users;
}

const { output } = await cruise(['nodes', 'credentials'], {
	baseDir: root,
	doNotFollow: { path: 'node_modules' },
	tsPreCompilationDeps: true,
});
if (typeof output === 'string') throw new Error('dependency-cruiser returned a text');

const rooms = new Map<string, Set<string>>();
const users = usersOfFiles(output);
for (const { source } of output.modules) {
	if (!source.startsWith('nodes/shared/')) continue;
	const ofRoom = rooms.get(roomOf(source)) ?? [];
	rooms.set(roomOf(source), new Set([...ofRoom, ...(users.get(source) ?? [])]));
}
for (const [room, ofRoom] of [...rooms].sort()) {
	if (ofRoom.size >= 2) continue;
	console.error(`${room} is used by ${[...ofRoom].join() || 'no one'} only: move it there`);
	process.exitCode = 1;
}
console.log(`${rooms.size} rooms under nodes/shared looked at`);
