/** A file in a package's tarball. */
export interface PackedFile {
	/** From the package's folder, with slashes. */
	path: string;
	content: Uint8Array;
	isExecutable: boolean;
}

/** tar writes blocks of this many bytes: a header, then what it describes, filled up with zeros. */
const BLOCK = 512;
/** A header's fields: where they begin and end. */
const FIELDS = { name: [0, 100], mode: [100, 108], size: [124, 136], prefix: [345, 500] } as const;
const FILE_TYPES = ['0', '\0'];
/** The next file's name, if it is too long for a header: in pax format, and as GNU tar writes it. */
const PAX_HEADER = 'x';
const LONG_NAME = 'L';

/**
 * The files of an npm package. What isn't a file is left out, as npm does.
 * @param tar the tarball, without its compression
 * @throws Error when a path leads out of the package
 */
export function* filesIn(tar: Buffer): Generator<PackedFile> {
	let longName: string | undefined;
	for (let start = 0; start + BLOCK <= tar.length && tar[start] !== 0; ) {
		const header = tar.subarray(start, start + BLOCK);
		const size = parseInt(field(header, 'size'), 8) || 0;
		const content = tar.subarray(start + BLOCK, start + BLOCK + size);
		start += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
		const type = String.fromCharCode(header[156] ?? 0);
		if (type === PAX_HEADER) longName = paxPath(content.toString());
		else if (type === LONG_NAME) longName = untilZero(content);
		else {
			if (FILE_TYPES.includes(type)) {
				const isExecutable = (parseInt(field(header, 'mode'), 8) & 0o111) !== 0;
				yield { path: pathInPackage(longName ?? nameIn(header)), content, isExecutable };
			}
			longName = undefined;
		}
	}
}

function nameIn(header: Buffer): string {
	const prefix = field(header, 'prefix');
	return prefix === '' ? field(header, 'name') : `${prefix}/${field(header, 'name')}`;
}

/** Without the first folder, which is "package" in most packages. */
function pathInPackage(name: string): string {
	const path = name.slice(name.indexOf('/') + 1);
	if (!path.split(/[/\\]/).includes('..') && !/^[/\\]|^[a-z]:/i.test(path)) return path;
	throw new Error(`a file of the package would be outside of its folder: ${name}`);
}

/** Lines such as "27 path=package/index.js". */
function paxPath(text: string): string | undefined {
	return /^\d+ path=(.*)$/m.exec(text)?.[1];
}

function field(header: Buffer, name: keyof typeof FIELDS): string {
	return untilZero(header.subarray(...FIELDS[name]));
}

function untilZero(bytes: Buffer): string {
	const end = bytes.indexOf(0);
	return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}
