import type { JsonObject } from '../../playground/n8n/rest.mts';

/** What the broker wants for a load. */
export type Wish = 'call' | 'no call' | 'person' | 'call or person';

export interface SentEvent {
	/** Fraction of the week. */
	at: number;
	body: JsonObject;
	/** Whether the sender hangs up at the first try. */
	hangsUp?: boolean;
}

export interface Load {
	number: string;
	story: string;
	wish: Wish;
	/** The numbers that may ring for it. */
	phones: string[];
	events: SentEvent[];
}

/** Mulberry32: the same seed draws the same numbers. */
export function randomOf(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Each with how many of a thousand loads have it. */
const STORIES: [story: string, share: number][] = [
	...([
		['plain', 440],
		['canceled before', 50],
		['canceled after', 40],
		['canceled, departure half a day late', 40],
		['delivered first', 50],
		['another driver', 50],
		['another driver, old phone in a late event', 40],
		['extension', 30],
		['words around the phone', 30],
		['two phones in one field', 20],
		['no phone', 10],
		['phone in the office list', 40],
		['one departure under two IDs', 50],
		['no load number', 10],
		['dispatcher', 40],
		['spellings of the load', 60],
	] as [string, number][]),
];

/** Area codes of the numbers that are reserved for fiction. */
const AREAS = [
	...[201, 208, 214, 253, 303, 312, 404, 412, 415, 469, 503, 512, 602, 612, 615, 619, 702, 708],
	...[713, 720, 773, 801, 815, 816, 832, 901, 913, 916, 918, 972],
];

/** The number that is behind so many loads. */
const DISPATCHER = '+13125550100';

/** How the office's list and the TMS write a number. */
function written(e164: string, draw: number): string {
	const [area, rest] = [e164.slice(2, 5), `${e164.slice(5, 8)}-${e164.slice(8)}`];
	const forms = [
		e164,
		`(${area}) ${rest}`,
		`${area}-${rest}`,
		`1 ${area} ${rest}`,
		`${area}.${rest}`,
		// As copied from a document: a space and a hyphen that don't break.
		`(${area})\u00a0${rest.replace('-', '\u2011')}`,
	];
	return forms[Math.floor(draw * forms.length)] ?? e164;
}

/** The drivers: no more numbers than fiction has, so one drives several loads. */
function driver(index: number): { name: string; phone: string } {
	const area = AREAS[index % AREAS.length] ?? 312;
	const line = 101 + (Math.floor(index / AREAS.length) % 98);
	return { name: `Driver ${index}`, phone: `+1${area}5550${line}` };
}

export interface Week {
	loads: Load[];
	/** The office's own list. */
	list: { loadNumber: string; driverName: string; phone: string }[];
}

/** A seeded week of a brokerage. @param timeZone where it is daytime at the stops */
export function makeWeek(count: number, seed: number, timeZone: string): Week {
	const random = randomOf(seed);
	const list: Week['list'] = [];
	const stories = STORIES.flatMap(([story, share]) =>
		Array.from({ length: Math.max(1, Math.round((share * count) / 1000)) }, () => story),
	);
	while (stories.length < count) stories.push('plain');
	stories.length = count;
	const loads = stories.map((story, nth) => makeLoad(story, nth));
	return { loads, list };

	function makeLoad(story: string, nth: number): Load {
		const number = String(60_000 + seed * 2_000 + nth);
		const [one, other] = [driver(nth * 2), driver(nth * 2 + 1)];
		const start = random() * 0.75;
		const at = (days: number) => Math.min(0.99, start + days / 7);
		const when = (late = 0) => new Date(Date.now() - late * 3_600_000).toISOString();
		let serial = 0;
		const event = (type: string, days: number, more: JsonObject = {}): SentEvent => ({
			at: at(days),
			body: {
				...{ eventId: `evt-${seed}-${nth}-${++serial}`, event: type, loadNumber: number },
				...{ occurredAt: when(), nextStopIndex: 1, timeZone, location: 'Joliet, IL' },
				driver: { name: one.name, phone: written(one.phone, random()) },
				...more,
			},
		});
		const booked = event('load.booked', 0);
		const departed = event('load.departed', 0.5);
		const delivered = event('load.delivered', 1.5);
		const paperwork = [event('documents.received', 1.6), event('invoice.paid', 1.7)];
		const load: Load = {
			...{ number, story, wish: 'call', phones: [one.phone] },
			events: [booked, departed, delivered, ...paperwork],
		};
		const phone = (text: string | undefined) => {
			for (const { body } of load.events) body['driver'] = { name: one.name, phone: text };
		};
		const change = event('driver.reassigned', 0.3, {
			driver: { name: other.name, phone: written(other.phone, random()) },
		});
		if (story === 'canceled before') {
			load.wish = 'no call';
			load.events = [booked, event('load.canceled', 0.2), departed];
		} else if (story === 'canceled after') {
			load.events = [booked, departed, event('load.canceled', 1.2)];
		} else if (story === 'canceled, departure half a day late') {
			load.wish = 'no call';
			const late = event('load.departed', 1, { occurredAt: when(12) });
			load.events = [booked, event('load.cancelled', 0.6), late];
		} else if (story === 'delivered first') {
			load.wish = 'no call';
			delivered.at = at(0.2);
		} else if (story === 'another driver') {
			load.phones = [other.phone];
			departed.body['driver'] = change.body['driver'];
			load.events.push(change);
		} else if (story === 'another driver, old phone in a late event') {
			load.phones = [other.phone];
			departed.body['occurredAt'] = when(6);
			load.events.push(change);
		} else if (story === 'extension') {
			load.phones = [`${one.phone};ext=${20 + (nth % 80)}`];
			const ext = ['x', ' ext. ', ' Ext ', ', ext ', ' #'][nth % 5] ?? 'x';
			phone(`${written(one.phone, random())}${ext}${20 + (nth % 80)}`);
		} else if (story === 'words around the phone') {
			const before = ['cell ', 'Cell: ', 'call ', 'driver '][nth % 4] ?? '';
			phone(`${before}${written(one.phone, random())}${nth % 2 ? ' (after 9 am)' : ''}`);
		} else if (story === 'two phones in one field') {
			load.phones = [one.phone, other.phone];
			load.wish = 'call or person';
			phone(`${written(one.phone, 0.3)} / ${written(other.phone, 0.3)}`);
		} else if (story === 'no phone') {
			load.wish = 'person';
			load.phones = [];
			phone(nth % 2 ? '' : 'ask his dispatcher');
		} else if (story === 'phone in the office list') {
			phone(nth % 2 ? '' : undefined);
			list.push({
				loadNumber: nth % 3 ? number : `LOAD ${number}`,
				driverName: one.name,
				phone: written(one.phone, random()),
			});
		} else if (story === 'one departure under two IDs') {
			load.events.push({
				at: departed.at + (nth % 2 ? 0 : random() * 0.02),
				body: { ...departed.body, eventId: `evt-${seed}-${nth}-other` },
			});
		} else if (story === 'no load number') {
			load.wish = 'person';
			load.phones = [];
			for (const { body } of load.events) body['loadNumber'] = nth % 2 ? '' : undefined;
		} else if (story === 'dispatcher') {
			load.phones = [DISPATCHER];
			load.wish = 'call or person';
			phone(written(DISPATCHER, random()));
		} else if (story === 'spellings of the load') {
			const forms = [
				number,
				`Load ${number}`,
				`#${number}`,
				`0${number}`,
				` ${number} `,
				`LOAD #${number}`,
				`Load No. ${number}`,
				`LD-${number}`,
				`${number}.0`,
			];
			for (const [index, { body }] of load.events.entries()) {
				body['loadNumber'] =
					index === 3 ? Number(number) : forms[Math.floor(random() * forms.length)];
			}
			const types = ['load.departed', 'Load Departed', 'load_departed'];
			departed.body['event'] = types[Math.floor(random() * types.length)];
			if (nth % 3 === 0) {
				load.wish = 'no call';
				load.events.push(event('load.canceled', 0.25, { loadNumber: `load ${number}` }));
			}
		}
		if (random() < 0.08) for (const { body } of load.events) delete body['eventId'];
		if (story === 'one departure under two IDs')
			departed.body['eventId'] ??= `evt-${seed}-${nth}-2`;
		// Sent again: immediately, or up to four hours later.
		for (const sent of [...load.events]) {
			const again = random();
			const later = again < 0.1 ? 0 : (random() * 4) / 168;
			if (again < 0.2) load.events.push({ ...sent, at: sent.at + later });
			if (random() < 0.03) sent.hangsUp = true;
		}
		load.events.sort((a, b) => a.at - b.at);
		return load;
	}
}

/** How a call ends, as the broker would say it. */
export type Ending = 'reached' | 'voicemail' | 'noAnswer' | 'failed';

export interface CallTruth {
	ending: Ending;
	optOut: boolean;
	summary: string;
	tags: string;
	extracted: JsonObject;
	/** How its event comes. */
	delivery: 'once' | 'twice' | 'late' | 'lost' | 'thin, then whole' | 'whole, then thin';
}

const ENDS: [share: number, Omit<CallTruth, 'delivery'>[]][] = [
	[
		0.62,
		[
			{
				ending: 'reached',
				optOut: false,
				summary: 'Driver is rolling. ETA 3 PM, on time.',
				tags: 'check_call,on_time',
				extracted: { eta: '3 PM' },
			},
			{
				ending: 'reached',
				optOut: false,
				summary: 'Driver is late: flat tire. New ETA 17:45.',
				tags: 'check_call,delay',
				extracted: { current_eta: '17:45', delay_reason: 'flat tire', delayed: 'yes' },
			},
			{
				ending: 'reached',
				optOut: false,
				summary: 'Driver will call back in ten minutes with an ETA.',
				tags: 'check_call,callback',
				extracted: { callback: true },
			},
			{
				ending: 'reached',
				optOut: false,
				summary: 'Driver arrived at 1:10 PM and is in door 12.',
				tags: 'check_call,at_facility',
				extracted: { arrivedAt: '1:10 PM' },
			},
		],
	],
	[
		0.16,
		[
			{
				ending: 'voicemail',
				optOut: false,
				summary: 'No answer; left a voicemail asking for a call back.',
				tags: 'voicemail,no_answer',
				extracted: {},
			},
		],
	],
	[
		0.12,
		[
			{
				ending: 'noAnswer',
				optOut: false,
				summary: 'Nobody answered.',
				tags: 'no_answer',
				extracted: {},
			},
			{
				ending: 'noAnswer',
				optOut: false,
				summary: 'The line was busy.',
				tags: 'busy',
				extracted: {},
			},
		],
	],
	[
		0.05,
		[
			{
				ending: 'reached',
				optOut: true,
				summary: 'The driver asked not to be called again.',
				tags: 'check_call,do_not_call',
				extracted: { do_not_call: true },
			},
		],
	],
	[
		0.05,
		[
			{
				ending: 'failed',
				optOut: false,
				summary: 'The call failed.',
				tags: 'failed',
				extracted: {},
			},
		],
	],
];

/** Draws how a call ends and how its event comes. */
export function drawEnding(random: () => number): CallTruth {
	let left = random();
	const [, ways] = ENDS.find(([share]) => (left -= share) < 0) ?? ENDS[0] ?? [1, []];
	const end = ways[Math.floor(random() * ways.length)];
	if (end === undefined) throw new Error('There is no ending');
	const how = random();
	const delivery =
		how < 0.05
			? 'lost'
			: how < 0.12
				? 'twice'
				: how < 0.2
					? 'late'
					: how < 0.25
						? 'thin, then whole'
						: how < 0.3
							? 'whole, then thin'
							: 'once';
	return { ...end, delivery };
}
