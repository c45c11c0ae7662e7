import type { Locator, Page } from 'playwright-core';
import type { Film } from './film.mts';

/** Adds a visible mouse pointer to the page: Chromium's pictures of it have none. */
function showPointer(): void {
	addEventListener('DOMContentLoaded', () => {
		const dot = document.createElement('div');
		Object.assign(dot.style, {
			...{ position: 'fixed', zIndex: '2147483647', width: '22px', height: '22px' },
			...{ borderRadius: '50%', background: 'rgba(255, 109, 0, 0.55)', pointerEvents: 'none' },
			...{ left: '-50px', top: '-50px', transition: 'left 0.3s, top 0.3s' },
		});
		document.documentElement.append(dot);
		addEventListener(
			'mousemove',
			({ clientX, clientY }) => {
				Object.assign(dot.style, { left: `${clientX - 11}px`, top: `${clientY - 11}px` });
			},
			true,
		);
	});
}

/** What a person does in front of the browser, slowly enough to follow. */
export class Stage {
	readonly page: Page;
	readonly #pace: number;
	readonly #film: Film | undefined;

	/** @param film none for a check, which has no pauses either */
	constructor(page: Page, film: Film | undefined) {
		this.page = page;
		this.#pace = film === undefined ? 0 : 1;
		this.#film = film;
	}

	/** Opens a page. Until it shows `visible`, the film stays with what was seen before. */
	async open(url: string, visible: Locator): Promise<void> {
		this.#film?.hold();
		await this.page.goto(url);
		await visible.first().waitFor({ timeout: 120_000 });
		await this.page.waitForLoadState('networkidle');
		await this.#film?.resume();
	}

	async begin(): Promise<void> {
		await this.page.addInitScript(showPointer);
	}

	/** Shows a caption, and gives time to read it. */
	async say(text: string): Promise<void> {
		console.log(`  ${text}`);
		this.#film?.caption(text);
		await this.pause(1 + text.length / 25);
	}

	async pause(seconds: number): Promise<void> {
		if (this.#pace > 0) await this.page.waitForTimeout(seconds * 1000 * this.#pace);
	}

	async click(target: Locator): Promise<void> {
		await target.waitFor();
		if (this.#pace > 0) {
			await target.hover();
			await this.pause(0.5);
		}
		await target.click();
	}

	/** Clicks again if nothing came of it: n8n ignores a click on Save while it is still saving. */
	async clickUntil(target: Locator, shown: Locator): Promise<void> {
		for (let attempt = 0; attempt < 6; attempt++) {
			await this.click(target);
			const seen = shown.waitFor({ timeout: 10_000 }).then(() => true);
			if (await seen.catch(() => false)) return;
		}
		await shown.waitFor();
	}

	async type(target: Locator, text: string): Promise<void> {
		await this.click(target);
		await target.fill('');
		await target.pressSequentially(text, { delay: 35 * this.#pace });
	}
}
