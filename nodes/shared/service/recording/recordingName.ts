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

/** Any other ending belongs to the name: "48213.2026", "download.php". */
const AUDIO_EXTENSION =
	/\.(wave?|mp[234]|mpg?a|m4[abr]|aac|og[ag]|opus|webm|weba|flac|amr|gsm|aiff?|au|wma)$/i;

const UNKNOWN = 'application/octet-stream';

/** A recording's media type, as sent or from the link's extension. */
export function mediaTypeOf(contentType: unknown, url: URL): string {
	const sent =
		typeof contentType === 'string' ? contentType.split(';')[0]?.trim().toLowerCase() : '';
	if (sent && sent !== UNKNOWN && sent !== 'binary/octet-stream') return sent;
	const ending = /\.([a-z0-9]+)$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? '';
	return TYPES[ending] ?? UNKNOWN;
}

/** A safe file name, with an extension that fits the media type. */
export function fileNameOf(disposition: unknown, url: URL, mediaType: string): string {
	const name =
		clean(dispositionName(disposition)) || clean(decoded(url.pathname.split('/').at(-1)));
	const ending = EXTENSIONS[mediaType];
	if (ending === undefined || AUDIO_EXTENSION.test(name)) return name || 'recording';
	return `${name || 'recording'}.${ending}`;
}

/** RFC 6266: `filename*=UTF-8''…` wins over `filename="…"`, which Node.js reads as Latin-1. */
function dispositionName(disposition: unknown): string {
	const text = typeof disposition === 'string' ? disposition : '';
	const extended = /filename\*\s*=\s*utf-8'[^']*'([^;]+)/i.exec(text)?.[1];
	if (extended) return decoded(extended.trim());
	const [, plain = '', quoted] = /filename\s*=\s*("([^"]*)"|[^;]+)/i.exec(text) ?? [];
	return asUtf8((quoted ?? plain).trim());
}

/** Text whose bytes are UTF-8, as most servers send it; anything else as it is. */
function asUtf8(latin1: string): string {
	const text = Buffer.from(latin1, 'latin1').toString('utf8');
	return text.includes('\uFFFD') ? latin1 : text;
}

function decoded(text = ''): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Without folders, and characters that can't be seen: they could reverse how a name is shown. */
function clean(name: string): string {
	const last = name.split(/[/\\]/).at(-1) ?? '';
	const visible = last.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
	return visible.replace(/^\.+/, '').trim().slice(0, 120);
}
