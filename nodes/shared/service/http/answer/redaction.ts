/** Removes the access token from what the service says. */
export interface Redaction {
	/** From text for people: the whole token, or part of it. */
	words(text: string): string;
	/** From data: only the whole token, and only where it is unambiguous. */
	data(text: string): string;
	/** Hides another token from now on: the credential's may be replaced while a run waits. */
	hide(token: string): void;
}

const SHOWN_INSTEAD = '[hidden]';

/** Shorter parts, and ordinary words, are not removed. */
const SHORTEST_PART = 8;
const ORDINARY_WORD = /^[a-z]{1,15}$/i;

/** In data, a shorter token or a number could as well be a phone number or an ID. */
const SHORTEST_IN_DATA = 12;

/** A word that looks like a token: base64, hex, dotted parts. */
const WORD = /[\w.~+/=%-]{4,}/g;

/** Hides an access token that the service echoes: as is, escaped, URL-encoded, or in base64. */
export function redactionOf(firstToken: string): Redaction {
	let forms = formsOf(firstToken);
	return {
		words: (text) =>
			without(forms, text).replaceAll(WORD, (word) => (isPart(word, forms) ? SHOWN_INSTEAD : word)),
		data: (text) =>
			without(
				forms.filter((form) => form.length >= SHORTEST_IN_DATA && /\D/.test(form)),
				text,
			),
		hide: (token) => {
			if (!forms.includes(token)) forms = [...forms, ...formsOf(token)];
		},
	};
}

function formsOf(token: string): string[] {
	const base64 = Buffer.from(token).toString('base64').replace(/=+$/, '');
	const written = [token, encodeURIComponent(token), base64, ...inJson(token)];
	return [...new Set(written)].filter((form) => form.length >= 4);
}

/** A token as services write it in JSON: as JavaScript, PHP, .NET, and Java or Go do. */
function inJson(token: string): string[] {
	const code = (char: string) => char.charCodeAt(0).toString(16).padStart(4, '0');
	return [
		JSON.stringify(token).slice(1, -1),
		token.replaceAll('/', '\\/'),
		token.replace(/[+&'<>`]/g, (char) => `\\u${code(char).toUpperCase()}`),
		token.replace(/[=&'<>]/g, (char) => `\\u${code(char)}`),
		token.replace(/[&<>]/g, (char) => `\\u${code(char)}`),
	];
}

function without(forms: string[], text: string): string {
	return forms.reduce((left, form) => left.replaceAll(form, SHOWN_INSTEAD), text);
}

function isPart(word: string, forms: string[]): boolean {
	const part = word.replace(/^[.=]+|[.=]+$/g, '');
	if (forms.includes(part)) return true;
	if (part.length < SHORTEST_PART || ORDINARY_WORD.test(part)) return false;
	return forms.some((form) => form.includes(part));
}
