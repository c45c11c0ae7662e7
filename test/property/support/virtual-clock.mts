interface Timer {
	at: number;
	run: () => void;
}

/**
 * A clock that the timers and `Date` follow, so that waiting for minutes takes no time. Jest's own takes two
 * real timers for each simulated one.
 */
export class VirtualClock {
	now: number;
	private readonly timers = new Map<number, Timer>();
	private lastTimer = 0;

	constructor(now = Date.UTC(2026, 2, 5, 12)) {
		this.now = now;
	}

	/** Does a task by this clock: when nothing else is to be done, the time of the next timer comes. */
	async run<Result>(task: () => Promise<Result>): Promise<Result> {
		const { setTimeout, clearTimeout, setImmediate, Date } = globalThis;
		const dateNow = Date.now;
		Date.now = () => this.now;
		Object.assign(globalThis, {
			setTimeout: this.start.bind(this),
			clearTimeout: this.stop.bind(this),
			Date: new Proxy(Date, {
				construct: (Real, given: unknown[]): Date =>
					Reflect.construct(Real, given.length === 0 ? [this.now] : given),
			}),
		});
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
			Object.assign(globalThis, { setTimeout, clearTimeout, Date });
			Date.now = dateNow;
		}
	}

	private start(run: () => void, ms = 0): number {
		this.timers.set(++this.lastTimer, { at: this.now + Math.max(0, Math.trunc(ms)), run });
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
