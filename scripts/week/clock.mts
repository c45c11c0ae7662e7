import { setTimeout as wait } from 'node:timers/promises';
import { recordsIn, textIn } from '../../playground/n8n/rest.mts';
import type { N8nSession } from '../../playground/n8n/session.mts';

/** How long the clock stands still at most, in one go. */
const LONGEST_HOLD_MS = 600_000;
/** n8n accepts an event within a second or two, and in a burst within five. */
const ACCEPTED_MS = 5_000;
/** An event waits for one or two rounds, and a round takes its time. */
const PATIENCE_MS = 14_000;
const TICK_MS = 50;

/**
 * The week's clock. It stands still while an event waits for longer than it would in a real week, to be accepted or to
 * be decided about, so a slow machine makes the week longer and not the workflows wrong.
 */
export class WeekClock {
	/** For how long the clock stood still. */
	heldMs = 0;
	private readonly session: N8nSession;
	private readonly sentAt: ReadonlySet<number>;
	private readonly patienceMs: number;
	private elapsedMs = 0;
	private isHeld = false;
	private isOver = false;

	/**
	 * @param weekMs how long the week takes if the machine keeps up
	 * @param sentAt when the events were first sent that n8n has not accepted yet
	 */
	constructor(session: N8nSession, weekMs: number, sentAt: ReadonlySet<number>) {
		this.session = session;
		this.sentAt = sentAt;
		this.patienceMs = Math.max(PATIENCE_MS, weekMs / 7 / 4);
		void this.watch();
	}

	/** Waits until it is so late in the week. Only one may wait. */
	async until(weekMs: number): Promise<void> {
		let last = Date.now();
		while (this.elapsedMs < weekMs) {
			await wait(Math.min(TICK_MS, weekMs - this.elapsedMs));
			const now = Date.now();
			if (this.isHeld) this.heldMs += now - last;
			else this.elapsedMs += now - last;
			last = now;
		}
	}

	stop(): void {
		this.isOver = true;
	}

	private async watch(): Promise<void> {
		for (let heldSince = 0; !this.isOver; await wait(1_000)) {
			const waited = await oldestOpenEvent(this.session).catch(() => 0);
			const isBehind =
				waited > this.patienceMs || Math.min(...this.sentAt) < Date.now() - ACCEPTED_MS;
			if (!isBehind) heldSince = 0;
			else if (heldSince === 0) heldSince = Date.now();
			this.isHeld = isBehind && Date.now() - heldSince < LONGEST_HOLD_MS;
		}
	}
}

/** Rows that no round of the workflow has decided about. */
const OPEN = [
	{ columnName: 'state', condition: 'isEmpty', value: null },
	...['new', 'waiting', 'taken'].map((value) => ({ columnName: 'state', condition: 'eq', value })),
];

/** How many events n8n has accepted and not decided about, at most 250, n8n's longest page. */
export async function openEvents(session: N8nSession, take = 250) {
	const filter = JSON.stringify({ type: 'or', filters: OPEN });
	const page = await session.dataTablePage('tms_events', { take, sortBy: 'id:asc', filter });
	return recordsIn(page, 'data');
}

/** For how long the oldest of them has waited, in milliseconds. */
async function oldestOpenEvent(session: N8nSession): Promise<number> {
	const [oldest] = await openEvents(session, 1);
	return oldest === undefined ? 0 : Date.now() - Date.parse(textIn(oldest, 'createdAt'));
}
