import type { CallTruth, Load } from './stories.mts';

export interface Played {
	loads: readonly Load[];
	/** Phones that rang, at the service. */
	dialed: readonly { callId: number; loadNumber?: string; toPhone: string; at: number }[];
	/** How each call really ended. */
	truths: ReadonlyMap<number, CallTruth>;
	/** When the report that a load was canceled or delivered was accepted. */
	endedAt: ReadonlyMap<string, number>;
	/** When its departure was accepted. */
	departedAt: ReadonlyMap<string, number>;
	/** When a phone's opt-out was accepted. */
	optedOutAt: ReadonlyMap<string, number>;
	/** Loads with an event that n8n never accepted, however often the TMS sent it. */
	neverAccepted: ReadonlySet<string>;
	/** When the workflow that calls read what had come, and when it had ended. */
	rounds: readonly { from: number; to: number }[];
	/** Executions that failed, with n8n's reason; at most 20 of each kind. */
	failed: readonly string[];
	/** What the office sees. */
	outcomes: readonly Record<string, unknown>[];
	desk: readonly Record<string, unknown>[];
}

export interface Verdict {
	good: number;
	of: number;
	/** By kind, the loads. */
	failures: Map<string, string[]>;
	/** Entries at the desk that no one needs. At most one in fifty may be. */
	needless: number;
}

/** Of so many entries at the desk, one may be needless. */
export const DESK_PER_NEEDLESS = 50;

/** How many calls a person gets in a day. */
const MOST_CALLS = 3;
/** A report on its way into the table counts as not known yet. */
const GRACE_MS = 5_000;
/** The list of calls is read once a minute. */
const LATEST_OUTCOME_MS = 15 * 60_000;
const NEEDLESS = 'a person gets a call that no one needs';

/** Kinds that must not occur at all. */
export const NEVER = [
	'two calls for one departure',
	'a call for a load known to be canceled or delivered',
	'a call after an opt-out was delivered',
	`more than ${MOST_CALLS} calls to one phone`,
	"a call to another phone than the load's",
	'the load is nowhere',
	'reached, and it was not',
	'n8n never accepted an event of the load',
	'the outcome came more than 15 minutes late',
	'a call about no load of the week',
];

const keyOf = (load: unknown) =>
	String(load ?? '')
		.toLowerCase()
		.replace(/\.0$/, '')
		.replace(/[^a-z0-9]/g, '')
		.replace(/^(load)?(ld|no)?0*/, '');

function groups<Item>(items: readonly Item[], keyFor: (item: Item) => string): Map<string, Item[]> {
	const found = new Map<string, Item[]>();
	for (const item of items) found.set(keyFor(item), [...(found.get(keyFor(item)) ?? []), item]);
	return found;
}

/** Judges a week by what the office sees and by the phones that rang. */
export function judge(played: Played): Verdict {
	const failures = new Map<string, string[]>();
	const bad = new Set<string>();
	const fail = (kind: string, load: string, detail = '') => {
		failures.set(kind, [...(failures.get(kind) ?? []), detail ? `${load} (${detail})` : load]);
		bad.add(load);
	};
	const calls = groups(played.dialed, ({ loadNumber }) => keyOf(loadNumber));
	const desk = groups(played.desk, ({ loadNumber }) => keyOf(loadNumber));
	const rows = groups(played.outcomes, ({ callId }) => String(callId));
	const known = new Set(played.loads.map(({ number }) => number));
	// A person finds the load of an event without one by its reference.
	const withoutNumber = (desk.get('') ?? []).length;
	let unnamed = 0;
	for (const load of played.loads) judgeLoad(load);
	for (const [phone, all] of groups(played.dialed, ({ toPhone }) => toPhone.split(';')[0] ?? '')) {
		all.sort((one, other) => one.at - other.at);
		for (const call of all.slice(MOST_CALLS))
			fail(`more than ${MOST_CALLS} calls to one phone`, keyOf(call.loadNumber), phone);
		const optedOut = played.optedOutAt.get(phone) ?? Infinity;
		for (const call of all) {
			if (wasKnown(optedOut, call.at))
				fail('a call after an opt-out was delivered', keyOf(call.loadNumber), phone);
		}
	}
	for (const load of calls.keys())
		if (!known.has(load)) fail('a call about no load of the week', load);
	return {
		good: played.loads.filter(({ number }) => !bad.has(number)).length,
		of: played.loads.length,
		failures,
		needless: failures.get(NEEDLESS)?.length ?? 0,
	};

	/** Whether a report had come when the round began that placed the call. */
	function wasKnown(reported: number, calledAt: number): boolean {
		const isDuringRound = played.rounds.some(({ from, to }) => from <= reported && calledAt <= to);
		return calledAt > reported + GRACE_MS && !isDuringRound;
	}

	/**
	 * When n8n must have decided about an event that came at this time, which is then if it did nothing at all. The first
	 * round that begins after it reads the event. It decides nothing while an earlier round is still at work, and neither
	 * do the rounds that begin meanwhile. The first round that begins after all of that decides.
	 */
	function decidedBy(accepted: number): number {
		const inOrder = played.rounds.toSorted((one, other) => one.from - other.from);
		const reading = inOrder.find(({ from }) => from >= accepted);
		if (reading === undefined) return accepted;
		const begun = inOrder.filter(({ from }) => from <= reading.from);
		const free = Math.max(...begun.map(({ to }) => to));
		return inOrder.find(({ from }) => from >= free)?.to ?? free;
	}

	function judgeLoad({ number, story, wish, phones, events }: Load): void {
		const own = calls.get(number) ?? [];
		const noLoad = events.every(({ body }) => keyOf(body['loadNumber']) === '');
		const forPerson = noLoad ? ++unnamed <= withoutNumber : (desk.get(number) ?? []).length > 0;
		const optedOut = phones.some((phone) => played.optedOutAt.has(phone.split(';')[0] ?? ''));
		const isBusyPhone = phones.some(
			(phone) => played.dialed.filter((call) => call.toPhone === phone).length >= MOST_CALLS,
		);
		if (own.length > 1) fail('two calls for one departure', number, story);
		if (played.neverAccepted.has(number))
			return fail('n8n never accepted an event of the load', number, story);
		const ended = played.endedAt.get(number) ?? Infinity;
		// A load that ends while its departure still waits needs no call: both came after the TMS was down.
		const isOver = ended <= decidedBy(played.departedAt.get(number) ?? -Infinity);
		for (const call of own) {
			if (wasKnown(ended, call.at))
				fail('a call for a load known to be canceled or delivered', number, story);
			if (!phones.includes(call.toPhone))
				fail("a call to another phone than the load's", number, `${story}: ${call.toPhone}`);
			judgeRow(number, call);
		}
		if (wish === 'no call' && own.length > 0)
			fail('a call for an event that wants none', number, story);
		if (wish === 'no call' && forPerson) fail(NEEDLESS, number, story);
		// Who reads an event without a load number can't know that its load has ended.
		const needsSomeone = wish !== 'no call' && (noLoad || !isOver);
		if (needsSomeone && !forPerson && (wish === 'person' || own.length === 0))
			fail('the load is nowhere', number, story);
		const mayBePerson = wish !== 'call' || optedOut || isBusyPhone;
		if (own.length > 0 && forPerson) fail(NEEDLESS, number, `${story}, and it was called`);
		else if (forPerson && !mayBePerson)
			fail(
				'a person must make a call that n8n could have placed',
				number,
				`${story}: ${String(desk.get(number)?.[0]?.['reason']).slice(0, 80)}`,
			);
	}

	function judgeRow(load: string, { callId, toPhone, at }: Played['dialed'][number]): void {
		const truth = played.truths.get(callId);
		const [row, second] = rows.get(String(callId)) ?? [];
		if (truth === undefined) return;
		if (row === undefined) return fail('the call has no outcome', load, truth.delivery);
		if (second !== undefined) fail('two rows for one call', load, truth.delivery);
		if (Date.parse(String(row['createdAt'])) > at + LATEST_OUTCOME_MS)
			fail('the outcome came more than 15 minutes late', load, truth.delivery);
		const said = row['outcome'];
		if (said === 'reached' && truth.ending !== 'reached')
			fail('reached, and it was not', load, truth.ending);
		else if (said !== truth.ending)
			fail("the row doesn't say how the call ended", load, `${truth.ending}: ${String(said)}`);
		if (truth.optOut && row['optOut'] !== true)
			fail('the row does not say that the driver opted out', load, truth.delivery);
		if (keyOf(row['loadNumber']) !== load) fail('the row names another load', load, truth.delivery);
		if (row['phone'] !== toPhone) fail('the row names another phone', load, truth.delivery);
		if (typeof row['summary'] !== 'string' || row['summary'] === '')
			fail('the summary is missing or was erased', load, truth.delivery);
	}
}

/** Each kind of failure with three examples, then the number. */
export function report({ good, of, failures }: Verdict): string {
	const lines = [...failures].map(([kind, loads]) => {
		const never = NEVER.includes(kind) ? 'MUST NOT HAPPEN: ' : '';
		return `${never}${kind}: ${loads.length}, for example ${loads.slice(0, 3).join('; ')}`;
	});
	return [...lines, `${good} of ${of} loads end as they should`].join('\n');
}
