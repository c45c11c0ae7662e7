/** What has to be stopped before the process may end, last started first. */
export class Stops {
	#stops: (() => Promise<void> | void)[] = [];
	#running: Promise<void> | undefined;

	/** Whether stopping has begun: an error after that is only its echo. */
	get begun(): boolean {
		return this.#running !== undefined;
	}

	/** Remembers how to stop something; stops it at once when everything else already is. */
	add(stop: () => Promise<void> | void): void {
		this.#stops.push(stop);
		if (this.begun) void this.#runAll();
	}

	/** Stops everything; a second caller waits for the first. */
	async all(): Promise<void> {
		this.#running ??= this.#runAll();
		await this.#running;
	}

	async #runAll(): Promise<void> {
		for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) {
			try {
				await stop();
			} catch {
				// The others have to be stopped all the same.
			}
		}
	}
}
