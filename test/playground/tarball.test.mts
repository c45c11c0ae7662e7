import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesIn } from '../../playground/setup/install/tarball.mts';
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

function packed(format: string, ...args: string[]) {
	const file = join(folder.path, `${format}.tar`);
	execFileSync('tar', [`--format=${format}`, '-cf', file, ...args], { cwd: folder.path });
	return [...filesIn(readFileSync(file))];
}

it.each(['gnu', 'pax'])('reads what tar has packed in the format %s', (format) => {
	for (const [file, content] of Object.entries(FILES)) write(`package/${file}`, content);
	const found = packed(format, 'package').map(({ path, content }) => [path, String(content)]);
	expect(Object.fromEntries(found)).toEqual(FILES);
});

it('tells programs from other files, and leaves out links', () => {
	write('programs/run.sh', '#!/bin/sh', 0o755);
	write('programs/read.me', 'text');
	symlinkSync('/etc/passwd', join(folder.path, 'programs/link'));
	const found = packed('ustar', 'programs').map(({ path, isExecutable }) => [path, isExecutable]);
	expect(Object.fromEntries(found)).toEqual({ 'run.sh': true, 'read.me': false });
});

it.each(['package/../../outside.js', '//etc/passwd'])('refuses the path %s', (path) => {
	const header = Buffer.alloc(1024);
	header.write(path);
	header.write('0', 156);
	expect(() => [...filesIn(header)]).toThrow('outside of its folder');
});
