import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packTar } from 'modern-tar';
import { filesIn } from '../../playground/setup/install/packages.mts';
import { temporaryFolder } from './support/start-command.mts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Paths of these lengths need a second field of tar's header, and more than the header. */
const FILES = {
	'package.json': '{"name":"tiny"}',
	'empty.js': '',
	[`${'a'.repeat(90)}/${'b'.repeat(60)}.js`]: 'two fields',
	[`${'c'.repeat(120)}/${'d'.repeat(120)}.js`]: 'too long for a header',
	'größe/Ω.js': 'x'.repeat(1_300),
	'last.js': 'after the others',
};

function write(file: string, content: string, mode = 0o644): void {
	const path = join(folder.path, file);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content, { mode });
}

async function packed(format: string, ...args: string[]) {
	const file = join(folder.path, `${format}.tar`);
	execFileSync('tar', [`--format=${format}`, '-cf', file, ...args], { cwd: folder.path });
	return await filesIn(readFileSync(file));
}

it.each(['gnu', 'pax'])(
	'a package that tar has packed in the format %s is read',
	async (format) => {
		for (const [file, content] of Object.entries(FILES)) write(`package/${file}`, content);
		const found = await packed(format, 'package');
		const texts = found.map(({ path, content }) => [path, new TextDecoder().decode(content)]);
		expect(Object.fromEntries(texts)).toEqual(FILES);
	},
);

it('a package keeps its programs executable and loses its links', async () => {
	write('programs/run.sh', '#!/bin/sh', 0o755);
	write('programs/read.me', 'text');
	symlinkSync('/etc/passwd', join(folder.path, 'programs/link'));
	const found = await packed('ustar', 'programs');
	const modes = found.map(({ path, isExecutable }) => [path, isExecutable]);
	expect(Object.fromEntries(modes)).toEqual({ 'run.sh': true, 'read.me': false });
});

it.each(['package/../../outside.js', '//etc/passwd'])(
	'a package with a file at %s is refused',
	async (name) => {
		const tar = await packTar([{ header: { name, size: 1, type: 'file' }, body: '1' }]);
		await expect(filesIn(tar)).rejects.toThrow('outside of its folder');
	},
);
