interface Timer {
	at: number;
	run: () => void;
}

/** A clock that the timers and `Date.now()` follow, so that waiting for minutes takes no time. */
export class VirtualClock {
	now = Date.UTC(2026, 2, 5, 12);
	private readonly timers = new Map<number, Timer>();
	private lastTimer = 0;

	/** Does a task by this clock: when nothing else is to be done, the time of the next timer comes. */
	async run<Result>(task: () => Promise<Result>): Promise<Result> {
		const { setTimeout, clearTimeout, setImmediate } = globalThis;
		const dateNow = Date.now;
		const replaced = { setTimeout: this.start.bind(this), clearTimeout: this.stop.bind(this) };
		Object.assign(globalThis, replaced);
		Date.now = () => this.now;
		try {
			let isDone = false;
			const result = task().finally(() => (isDone = true));
			result.catch(() => {});
			for (;;) {
				// Promises and streams go on before a macrotask.
				await new Promise((next) => setImmediate(next));
				if (isDone) return await result;
				this.advance();
			}
		} finally {
			Object.assign(globalThis, { setTimeout, clearTimeout });
			Date.now = dateNow;
		}
	}

	private start(run: () => void, ms = 0): number {
		this.timers.set(++this.lastTimer, { at: this.now + Math.max(0, ms), run });
		return this.lastTimer;
	}

	private stop(timer: number | undefined): void {
		if (timer !== undefined) this.timers.delete(timer);
	}

	private advance(): void {
		let next: [number, Timer] | undefined;
		for (const entry of this.timers) if (!next || entry[1].at < next[1].at) next = entry;
		if (!next) throw new Error('Everything waits for ever');
		const [id, { at, run }] = next;
		this.timers.delete(id);
		this.now = Math.max(this.now, at);
		run();
	}
}
