/** How long requests waited because the service was busy. Waits at the same time count once. */
export class BusyTime {
	private readonly waits: Array<[start: number, end: number]> = [];

	/** Records a wait, in Unix milliseconds. */
	add(start: number, end: number): void {
		this.waits.push([start, end]);
	}

	get totalMs(): number {
		let total = 0;
		let until = 0;
		for (const [start, end] of this.waits.sort(([one], [other]) => one - other)) {
			total += Math.max(0, end - Math.max(start, until));
			until = Math.max(until, end);
		}
		return total;
	}
}
