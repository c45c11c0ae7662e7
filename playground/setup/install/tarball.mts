import { unpackTar } from 'modern-tar';

/** A file in a package's tarball. */
export interface PackedFile {
	/** From the package's folder, with slashes. */
	path: string;
	content: Uint8Array;
	isExecutable: boolean;
}

/**
 * The files of an npm package. What isn't a file is left out, as npm does.
 * @param tar the tarball, without its compression
 * @throws Error when it isn't one, or when a path leads out of the package
 */
export async function filesIn(tar: Uint8Array): Promise<PackedFile[]> {
	const entries = await unpackTar(tar, { filter: ({ type }) => type === 'file' });
	return entries.map(({ header, data = new Uint8Array() }) => ({
		path: pathInPackage(header.name),
		content: data,
		isExecutable: ((header.mode ?? 0) & 0o111) !== 0,
	}));
}

/** Without the first folder, which is "package" in most packages. */
function pathInPackage(name: string): string {
	const path = name.slice(name.indexOf('/') + 1);
	if (!path.split(/[/\\]/).includes('..') && !/^[/\\]|^[a-z]:/i.test(path)) return path;
	throw new Error(`a file of the package would be outside of its folder: ${name}`);
}
