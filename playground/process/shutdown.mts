const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** What to stop before the process exits, in reverse order of starting. */
export class Shutdown {
	#stops: (() => Promise<void> | void)[] = [];
	#running: Promise<void> | undefined;

	/** Whether stopping has started: any error after that is only a consequence of it. */
	get started(): boolean {
		return this.#running !== undefined;
	}

	/** Registers how to stop something. Stops it right away when the shutdown has already started. */
	add(stop: () => Promise<void> | void): void {
		this.#stops.push(stop);
		if (this.started) void this.#stopAll();
	}

	/** Stops everything, then ends the process. A second caller waits for the first. */
	async exit(exitCode: number): Promise<never> {
		this.#running ??= this.#stopAll();
		await this.#running;
		process.exit(exitCode);
	}

	async #stopAll(): Promise<void> {
		for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) {
			try {
				await stop();
			} catch {
				// The rest still has to be stopped.
			}
		}
	}
}

/**
 * Shuts down when the process receives one of these signals.
 * @param announce tells the user, and returns whether this was a normal way to stop (exit code 0)
 */
export function exitOn(
	signals: (keyof typeof EXIT_CODES)[],
	shutdown: Shutdown,
	announce: () => boolean,
): void {
	for (const signal of signals) {
		process.on(signal, () => {
			if (shutdown.started) return;
			void shutdown.exit(announce() ? 0 : EXIT_CODES[signal]);
		});
	}
}
