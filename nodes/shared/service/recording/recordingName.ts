const TYPES: Record<string, string> = {
	wav: 'audio/wav',
	mp3: 'audio/mpeg',
	m4a: 'audio/mp4',
	aac: 'audio/aac',
	ogg: 'audio/ogg',
	webm: 'audio/webm',
	flac: 'audio/flac',
};

const EXTENSIONS: Record<string, string> = {
	...Object.fromEntries(Object.entries(TYPES).map(([extension, type]) => [type, extension])),
	'audio/x-wav': 'wav',
	'audio/wave': 'wav',
	'audio/vnd.wave': 'wav',
	'audio/mp3': 'mp3',
	'audio/x-m4a': 'm4a',
};

const UNKNOWN = 'application/octet-stream';

/** A recording's media type, as sent or from the link's extension. */
export function mediaTypeOf(contentType: unknown, url: URL): string {
	const sent =
		typeof contentType === 'string' ? contentType.split(';')[0]?.trim().toLowerCase() : '';
	if (sent && sent !== UNKNOWN && sent !== 'binary/octet-stream') return sent;
	const ending = /\.([a-z0-9]+)$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? '';
	return TYPES[ending] ?? UNKNOWN;
}

/**
 * A file name without folders or control characters, with an extension that fits the media type.
 */
export function fileNameOf(disposition: unknown, url: URL, mediaType: string): string {
	const name =
		clean(dispositionName(disposition)) || clean(decoded(url.pathname.split('/').at(-1)));
	if (/\.[a-z0-9]{1,5}$/i.test(name)) return name;
	const ending = EXTENSIONS[mediaType];
	return `${name || 'recording'}${ending ? `.${ending}` : ''}`;
}

/** RFC 6266: `filename*=UTF-8''…` wins over `filename="…"`. */
function dispositionName(disposition: unknown): string {
	const text = typeof disposition === 'string' ? disposition : '';
	const extended = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(text)?.[1];
	if (extended) return decoded(extended.trim());
	return /filename\s*=\s*("([^"]*)"|[^;]+)/i.exec(text)?.slice(1).findLast(Boolean)?.trim() ?? '';
}

function decoded(text = ''): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function clean(name: string): string {
	const last = name.split(/[/\\]/).at(-1) ?? '';
	// ESLint would flag control characters in a regular expression.
	const printable = [...last].filter((char) => char >= ' ' && char !== '\u007f').join('');
	return printable.replace(/^\.+/, '').trim().slice(0, 120);
}
