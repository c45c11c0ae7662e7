/** Takes the access token out of text that others wrote. */
export interface Redaction {
	/** Out of words for a person: whole, or a part of it. */
	words(text: string): string;
	/** Out of data: whole only, and only where it cannot be anything else. */
	data(text: string): string;
}

const SHOWN_INSTEAD = '[hidden]';

/** Shorter parts, and ones that could be a word of ordinary text, are left. */
const SHORTEST_PART = 8;
const ORDINARY_WORD = /^[a-z]{1,15}$/i;

/** A token in data that is shorter, or a number, may as well be a phone number or an id. */
const SHORTEST_IN_DATA = 12;

/** A word as tokens are written: base64, hex, dotted parts. */
const WORD = /[\w.~+/=%-]{4,}/g;

/** Hides an access token that a service echoes: as it is, encoded for an address, or in base64. */
export function redactionOf(token: string): Redaction {
	const base64 = Buffer.from(token).toString('base64').replace(/=+$/, '');
	const written = [token, encodeURIComponent(token), base64, JSON.stringify(token).slice(1, -1)];
	const forms = [...new Set(written)].filter((form) => form.length >= 4);
	const inData = forms.filter((form) => form.length >= SHORTEST_IN_DATA && /\D/.test(form));
	return {
		words: (text) =>
			without(forms, text).replaceAll(WORD, (word) => (isPart(word, forms) ? SHOWN_INSTEAD : word)),
		data: (text) => without(inData, text),
	};
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
