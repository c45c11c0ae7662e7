/** A burst of 429s, which all pages in flight get at once, counts as one. */
const ONE_BURST_MS = 1000;

/** After so many pages without a 429, one more may be requested at the same time. */
const PAGES_TO_RECOVER = 20;

/** How many pages may be requested at the same time: half after a 429, then slowly more again. */
export class Gate {
	allowed: number;

	/** Pages that are requested now. */
	private asking = 0;

	private readonly waiting: Array<() => void> = [];

	private lastThrottled = Number.NEGATIVE_INFINITY;

	private pagesSince = 0;

	constructor(private readonly most: number) {
		this.allowed = Math.max(1, most);
	}

	/** Waits until one more page may be requested; it counts until `leave`. */
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

	/** To be called for every 429. */
	readonly throttled = (): void => {
		this.pagesSince = 0;
		const now = Date.now();
		if (now - this.lastThrottled < ONE_BURST_MS) return;
		this.lastThrottled = now;
		this.allowed = Math.max(1, Math.floor(this.allowed / 2));
	};

	/** To be called for every page that came. */
	passed(): void {
		if (this.allowed >= this.most || ++this.pagesSince < PAGES_TO_RECOVER) return;
		this.pagesSince = 0;
		this.allowed++;
	}
}
