/** Calls in progress and deliveries, which can be awaited or ended early. */
export interface CallsInProgress {
	/** Runs `end` after `delayMs` (Infinity: only with finishAll), then waits for its result. */
	begin(delayMs: number, end: () => Promise<void>): void;
	/** Counts something else as in progress until it settles. */
	also(work: Promise<void>): void;
	/** Ends all calls in progress. Doesn't wait for the end of calls that begin meanwhile. */
	finishAll(): Promise<void>;
	whenIdle(): Promise<void>;
	/** Abandons everything that has not ended. */
	abandon(): void;
}

interface Pending {
	finish(): void;
	timer: NodeJS.Timeout | undefined;
}

export function openCallsInProgress(): CallsInProgress {
	const pending = new Set<Pending>();
	const underWay = new Set<Promise<void>>();
	let waiting: (() => void)[] = [];

	function notifyIfIdle(): void {
		if (pending.size > 0 || underWay.size > 0) return;
		const listeners = waiting;
		waiting = [];
		for (const notify of listeners) notify();
	}

	function also(work: Promise<void>): void {
		// A delivery interrupted by closing the sandbox is not a failure.
		const tracked: Promise<void> = work
			.catch(() => undefined)
			.finally(() => {
				underWay.delete(tracked);
				notifyIfIdle();
			});
		underWay.add(tracked);
	}

	function begin(delayMs: number, end: () => Promise<void>): void {
		const call: Pending = {
			timer: undefined,
			finish() {
				clearTimeout(call.timer);
				if (!pending.delete(call)) return;
				also(end());
			},
		};
		pending.add(call);
		if (delayMs !== Infinity) call.timer = setTimeout(call.finish, delayMs);
	}

	const whenIdle = (): Promise<void> =>
		new Promise((resolve) => {
			waiting.push(resolve);
			notifyIfIdle();
		});

	return {
		begin,
		also,
		whenIdle,
		async finishAll() {
			for (const call of [...pending]) call.finish();
			while (underWay.size > 0) await Promise.all(underWay);
		},
		abandon() {
			for (const { timer } of pending) clearTimeout(timer);
			pending.clear();
			notifyIfIdle();
		},
	};
}
