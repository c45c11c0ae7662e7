/** A call of some execution of this process of which it is not known whether it was placed. */
export interface LostCall {
	/** The execution and its item; the same in the execution's retries. */
	owner: string;
	/** The number without its extension. */
	phone: string;
	load: string | undefined;
	/** When the service can have placed it, as Unix milliseconds. */
	from: number;
	until: number;
}

const KEPT_MS = 60 * 60_000;

let lost: LostCall[] = [];

/** Notes a lost call, so that a call in the list that can be either is taken for neither. */
export function noteLost(call: LostCall): void {
	const now = Date.now();
	lost = lost.filter(({ owner, until }) => owner !== call.owner && until + KEPT_MS > now);
	lost.push(call);
}

/** The item has its call after all. */
export function foundAgain(owner: string): void {
	lost = lost.filter((call) => call.owner !== owner);
}

/** Calls to the number that other executions lost, and that the service can have placed then. */
export function lostByOthers(owner: string, phone: string, at: number): LostCall[] {
	return lost.filter(
		(call) => call.owner !== owner && call.phone === phone && call.from <= at && at <= call.until,
	);
}
