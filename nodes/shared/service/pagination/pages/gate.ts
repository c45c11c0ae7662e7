/** A burst of 429s for all pages in flight counts once. */
const ONE_BURST_MS = 1000;

/** After this many pages without a 429, one more may be requested in parallel. */
const PAGES_TO_RECOVER = 20;

/** Limits how many pages are requested in parallel: half after a 429, then slowly more. */
export class Gate {
	allowed: number;

	private asking = 0;

	private readonly waiting: Array<() => void> = [];

	private lastThrottled = Number.NEGATIVE_INFINITY;

	private pagesSince = 0;

	constructor(private readonly most: number) {
		this.allowed = Math.max(1, most);
	}

	/** Waits until another page may be requested. It counts until `leave`. */
	async enter(): Promise<void> {
		const hasRoom = this.waiting.length === 0 && this.asking < this.allowed;
		if (!hasRoom) return await new Promise((enter) => void this.waiting.push(enter));
		this.asking++;
	}

	leave(): void {
		this.asking--;
		while (this.asking < this.allowed) {
			const enter = this.waiting.shift();
			if (!enter) return;
			this.asking++;
			enter();
		}
	}

	/** Called for every 429. */
	readonly throttled = (): void => {
		this.pagesSince = 0;
		const now = Date.now();
		if (now - this.lastThrottled < ONE_BURST_MS) return;
		this.lastThrottled = now;
		this.allowed = Math.max(1, Math.floor(this.allowed / 2));
	};

	/** Called for every received page. */
	passed(): void {
		if (this.allowed >= this.most || ++this.pagesSince < PAGES_TO_RECOVER) return;
		this.pagesSince = 0;
		this.allowed++;
	}
}
