/** Work that is under way and can be waited for, or ended early. */
export interface CallsInProgress {
	/** Runs `end` after `delayMs` (Infinity: never by itself), then waits for what it returns. */
	begin(delayMs: number, end: () => Promise<void>): void;
	/** Waits for something else that is under way. */
	also(work: Promise<void>): void;
	finishAll(): Promise<void>;
	whenIdle(): Promise<void>;
	/** Forgets all that has not ended. */
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

	function settle(): void {
		if (pending.size > 0 || underWay.size > 0) return;
		const told = waiting;
		waiting = [];
		for (const tell of told) tell();
	}

	function also(work: Promise<void>): void {
		// A delivery that the sandbox's closing cut short is no failure.
		const settled: Promise<void> = work
			.catch(() => undefined)
			.finally(() => {
				underWay.delete(settled);
				settle();
			});
		underWay.add(settled);
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
			settle();
		});

	return {
		begin,
		also,
		whenIdle,
		finishAll() {
			for (const call of [...pending]) call.finish();
			return whenIdle();
		},
		abandon() {
			for (const { timer } of pending) clearTimeout(timer);
			pending.clear();
			settle();
		},
	};
}
