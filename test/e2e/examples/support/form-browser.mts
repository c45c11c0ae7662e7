import { isRecord, textIn } from '../../../../playground/n8n/rest.mts';
import { waitUntil } from '../../../support/wait-until.mts';

/** A page of an n8n form, as a browser has it. */
export interface FormPage {
	url: string;
	/** HTML, or the file that the page gives. */
	html: string;
	token: string | undefined;
	/** Fills in the page, field by field, and returns the next one. */
	submit(...fields: Array<string | File>): Promise<FormPage>;
}

/** A browser, logged in or not, as far as n8n's forms need one (n8n 2.41: form-trigger.handlebars). */
export class FormBrowser {
	private readonly cookies = new Map<string, string>();
	private readonly baseUrl: string;
	private login: string | undefined;

	constructor(baseUrl: string) {
		this.baseUrl = baseUrl;
	}

	logIn({ user, password }: { user: string; password: string }): void {
		this.login = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
	}

	/** The status that a visitor gets, without following redirects. */
	async visit(path: string): Promise<number> {
		return (await this.request(`${this.baseUrl}/form/${path}`, {})).status;
	}

	async open(path: string): Promise<FormPage> {
		return await this.page(`${this.baseUrl}/form/${path}`);
	}

	/** Fills in a form of one page, which ends with n8n's own last page. */
	async post(path: string, ...fields: string[]): Promise<void> {
		const url = `${this.baseUrl}/form/${path}`;
		await this.sendTo(url, (await this.open(path)).token, fields);
	}

	private async page(url: string): Promise<FormPage> {
		const response = await this.request(url, {});
		const html = await response.text();
		if (!response.ok) throw new Error(`${url} answered ${response.status}: ${html.slice(0, 500)}`);
		const token = /authToken = '([^']+)'/.exec(html)?.[1];
		return { url, html, token, submit: async (...fields) => await this.send(url, token, fields) };
	}

	private async send(url: string, token: string | undefined, fields: Array<string | File>) {
		const next = waitingUrl(await this.sendTo(url, token, fields)) ?? url;
		await waitUntil(
			'the next page of the form',
			async () => (await this.statusOf(next)) !== '',
			120_000,
		);
		return await this.page(next);
	}

	private async sendTo(url: string, token: string | undefined, fields: Array<string | File>) {
		const body = new FormData();
		for (const [nth, field] of fields.entries()) body.append(`field-${nth}`, field);
		const headers = { ...(token !== undefined && { 'x-auth-token': token }) };
		const response = await this.request(url, { method: 'POST', headers, body });
		const text = await response.text();
		if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`);
		return text;
	}

	/** Empty while n8n works on the next page. */
	private async statusOf(url: string): Promise<string> {
		const status = new URL(url);
		status.pathname += '/n8n-execution-status';
		const text = (await (await this.request(status.toString(), {})).text()).trim();
		if (['error', 'crashed', 'canceled', 'success'].includes(text))
			throw new Error(`The form's execution has ended: ${text}`);
		return text === 'form-waiting' ? text : '';
	}

	private async request(url: string, init: RequestInit): Promise<Response> {
		const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		const authorization = this.login !== undefined && { authorization: this.login };
		const headers = { connection: 'close', ...init.headers, cookie, ...authorization };
		const response = await fetch(url, { ...init, headers, redirect: 'manual' });
		for (const set of response.headers.getSetCookie()) {
			const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s);
			this.cookies.set(name, value);
		}
		return response;
	}
}

function waitingUrl(text: string): string | undefined {
	try {
		const answer: unknown = JSON.parse(text);
		return isRecord(answer) ? textIn(answer, 'formWaitingUrl') : undefined;
	} catch {
		return undefined;
	}
}
