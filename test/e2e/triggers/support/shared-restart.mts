/**
 * One restart of n8n for tests that run at the same time. It comes once each of them is ready for it, or has ended.
 * A test is ready after its first request to n8n at the earliest: by then, all of them have begun.
 */
export class SharedRestart {
	private readonly over: Promise<void>;
	private begin = () => {};
	private awaited = 0;

	constructor(restart: () => Promise<void>) {
		this.over = new Promise<void>((begin) => (this.begin = begin)).then(restart);
	}

	/** A test that takes part. It calls `restarted` when it is ready, which resolves when n8n runs again. */
	among(test: (restarted: () => Promise<void>) => Promise<void>): () => Promise<void> {
		return async () => {
			this.awaited++;
			let isReady = false;
			const ready = () => {
				if (!isReady && --this.awaited === 0) this.begin();
				isReady = true;
			};
			try {
				await test(async () => {
					ready();
					await this.over;
				});
			} finally {
				ready();
			}
		};
	}
}
