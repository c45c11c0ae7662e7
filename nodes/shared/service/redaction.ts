/** A shorter token could as well be part of a phone number or an ordinary word. */
const SHORTEST_TOKEN = 8;

/** Removes the access token from what the service says: as text, URL-encoded, or in base64. */
export class Redaction {
	private forms: string[] = [];

	constructor(token: string) {
		this.hide(token);
	}

	/** Hides another token from now on: the credential's may be replaced while a run waits. */
	hide(token: string): void {
		const base64 = Buffer.from(token).toString('base64').replaceAll('=', '');
		const forms = [...this.forms, token, encodeURIComponent(token), base64];
		this.forms = [...new Set(forms)].filter(({ length }) => length >= SHORTEST_TOKEN);
	}

	in(text: string): string {
		return this.forms.reduce((left, form) => left.replaceAll(form, '[hidden]'), text);
	}
}
