import type {
	AnalyticsEntry,
	BidRecord,
	CallRecord,
	ConversationRecord,
	SalesBid,
} from '../contract.mts';
import {
	type Brokerage,
	personName,
	pick,
	randomFraction,
	randomInt,
	streams,
} from './brokerage.mts';
import {
	CARRIER_COUNT,
	type CarrierNetwork,
	findLoad,
	type Load,
	loadAt,
	loadsOfCall,
	type NetworkCarrier,
	openCarrierNetwork,
} from './freight.mts';
import { Series } from './series.mts';
import { type CallContent, contentFor, type Topic } from './transcripts.mts';

/** All records of one organization: its history, plus calls added later. */
export interface Archive {
	brokerage: Brokerage;
	network: CarrierNetwork;
	calls: Series<CallRecord>;
	conversations: Series<ConversationRecord>;
	bids: Series<BidRecord>;
	/** IDs for a call after all others. */
	nextIds(): { callId: number; conversationId: number };
	/** Whether this organization has, or placed, a call with this ID. */
	hasCall(id: number): boolean;
}

export interface RecordFilters {
	loadId?: string | undefined;
	mcNumber?: string | undefined;
	/** Part of the pickup's "City, ST", in upper or lower case. */
	origin?: string | undefined;
	destination?: string | undefined;
}

export function openArchive(brokerage: Brokerage): Archive {
	const network = openCarrierNetwork(brokerage);
	let made: HistoryCall[] | undefined;
	const history = () => (made ??= historyOf(brokerage, network));
	const { calls, firstCallId, firstConversationId } = brokerage;
	let added = 0;
	return {
		...{ brokerage, network },
		calls: new Series(() =>
			history().map((call) => ({ at: call.at, record: callRecord(brokerage, call) })),
		),
		conversations: new Series(() => conversationsOf(brokerage, history())),
		bids: new Series(() =>
			history()
				.filter(({ topic }) => topic === 'bid')
				.map((call) => ({ at: call.at, record: bidRecord(call) })),
		),
		nextIds() {
			const callId = firstCallId + calls + added;
			const conversationId = firstConversationId + conversationCount(calls) + added;
			added += 1;
			return { callId, conversationId };
		},
		hasCall: (id) => id >= firstCallId && id < firstCallId + calls + added,
	};
}

/** Whether a record has the load and the carrier, and one of its loads the lane. */
function matches(
	brokerage: Brokerage,
	filters: RecordFilters,
	record: { loads: string[]; mcNumber: string | null | undefined },
): boolean {
	const { loadId, mcNumber, origin, destination } = filters;
	if (loadId !== undefined && !record.loads.includes(loadId)) return false;
	if (mcNumber !== undefined && record.mcNumber !== mcNumber) return false;
	if (origin === undefined && destination === undefined) return true;
	const includes = (name: string, part = '') =>
		name.toLowerCase().includes(part.trim().toLowerCase());
	return record.loads.some((number) => {
		const load = findLoad(brokerage, number);
		if (load === undefined) return false;
		return includes(load.origin.name, origin) && includes(load.destination.name, destination);
	});
}

export const callFilter =
	({ brokerage }: Archive, filters: RecordFilters) =>
	({ loadIds, mcNumber }: CallRecord): boolean =>
		matches(brokerage, filters, { loads: loadIds ?? [], mcNumber });

export const conversationFilter =
	({ brokerage }: Archive, filters: RecordFilters) =>
	({ loads, mcNumber }: ConversationRecord): boolean =>
		matches(brokerage, filters, { loads: loads?.split(', ') ?? [], mcNumber });

/** A bid is about one load: the first one of its call. */
export const bidFilter =
	({ brokerage }: Archive, filters: RecordFilters) =>
	({ loadId, carrierMc }: BidRecord): boolean =>
		matches(brokerage, filters, { loads: [String(loadId)], mcNumber: carrierMc });

/** A call of the history with everything that was said. */
interface HistoryCall extends CallContent {
	id: number;
	topic: Topic;
	/** Milliseconds since the epoch, and a time after it and before the next call. */
	at: number;
	after: number;
	loads: Load[];
	carrier: NetworkCarrier;
	person: string;
	/** Dollars; null if the call brought no bid. */
	amount: number | null;
	/** Carriers call about loads (inbound). Check calls and voicemails are outbound. */
	inbound: boolean;
}

const topics: readonly [Topic, ...Topic[]] = [
	...(['enRoute', 'enRoute', 'enRoute', 'atFacility', 'delayed'] as const),
	...(['question', 'question', 'voicemail'] as const),
];

/** The calls of the history, oldest first. One of three brings a bid. */
function historyOf(brokerage: Brokerage, network: CarrierNetwork): HistoryCall[] {
	const { seed, calls, start, end } = brokerage;
	const step = (end - start) / Math.max(calls, 1);
	const bids = Math.floor(calls / 3);
	return Array.from({ length: calls }, (_, index) => {
		const bid = Math.floor(index / 3);
		const hasBid = bid < bids && 3 * bid + (randomInt(seed, bid, streams.bidCall) % 3) === index;
		const topic = hasBid ? 'bid' : pick(topics, randomInt(seed, index, streams.topic));
		const loads = loadsOfCall(brokerage, index, hasBid).map((load) => loadAt(brokerage, load));
		const [load] = loads;
		const carrier = network.carrier(randomInt(seed, index, streams.carrierOfCall) % CARRIER_COUNT);
		const person = personName(seed, index, streams.caller);
		const amount = hasBid && load ? amountAsked(seed, index, load) : null;
		const at = Math.floor(
			start + step * (index + 0.6 * randomFraction(seed, index, streams.moment)),
		);
		const content = contentFor(topic, {
			...{ broker: brokerage.name, person, carrier: carrier.name, load, amount: amount ?? 0 },
			...{ at, variation: randomInt(seed, index, streams.content) },
		});
		return {
			...{ ...content, id: brokerage.firstCallId + index, topic, loads, carrier, person, amount },
			at,
			after: Math.floor(start + step * (index + 0.8)),
			inbound: topic === 'bid' || topic === 'question',
		};
	});
}

function amountAsked(seed: number, index: number, load: Load): number {
	const asked = 1 + randomFraction(seed, index, streams.bidAmount) * 0.3;
	return Math.round((load.rate * asked) / 25) * 25;
}

/** Where a call's recording is served. */
export const recordingUrl = (serviceUrl: string, callId: number): string =>
	`${serviceUrl}/recordings/${callId}.wav`;

const isoTime = (ms: number): string => new Date(ms).toISOString();

const carrierFields = ({
	mcNumber,
	dotNumber,
	connection,
	ruleAssessment,
}: NetworkCarrier): Pick<
	CallRecord,
	'mcNumber' | 'dotNumber' | 'carrierHwConnectionStatus' | 'carrierHwRulesAssessment'
> => ({
	...{ mcNumber, dotNumber, carrierHwConnectionStatus: connection },
	carrierHwRulesAssessment: ruleAssessment,
});

/** Contract 2.3. */
function callRecord({ line, serviceUrl }: Brokerage, call: HistoryCall): CallRecord {
	const { id, at, tags, summary, transcript, carrier, loads } = call;
	const ends = call.inbound
		? { fromPhone: carrier.phone, callerExt: carrier.extension, toPhone: line }
		: { fromPhone: line, callerExt: '', toPhone: carrier.phone };
	return {
		...{ id, ...ends, callerName: call.person, createdAt: isoTime(at), contentTags: tags },
		...{ summary, loadIds: loads.map(({ number }) => String(number)), ...carrierFields(carrier) },
		...{ recordingUrl: recordingUrl(serviceUrl(), id), transcript },
	};
}

/** An email follows every eighth call. */
const CALLS_PER_EMAIL = 8;

const conversationCount = (calls: number): number => calls + Math.floor(calls / CALLS_PER_EMAIL);

function conversationsOf(brokerage: Brokerage, calls: HistoryCall[]) {
	const conversations: { at: number; record: ConversationRecord }[] = [];
	for (const [index, call] of calls.entries()) {
		conversations.push({
			at: call.at,
			record: callConversation(brokerage, conversations.length, call),
		});
		if (index % CALLS_PER_EMAIL !== CALLS_PER_EMAIL - 1) continue;
		conversations.push({
			at: call.after,
			record: emailConversation(brokerage, conversations.length, call),
		});
	}
	return conversations;
}

const conversationFields = (
	{ firstConversationId }: Brokerage,
	nth: number,
	{ carrier, loads }: HistoryCall,
) => ({
	...{ id: firstConversationId + nth, ...carrierFields(carrier) },
	loads: loads.map((load) => load.number).join(', '),
});

/** Contract 2.2. */
function callConversation(
	brokerage: Brokerage,
	nth: number,
	call: HistoryCall,
): ConversationRecord {
	const { carrier, inbound, amount } = call;
	return {
		...{ ...conversationFields(brokerage, nth, call), type: 'call', createdAt: isoTime(call.at) },
		fromPhone: inbound ? carrier.phone : brokerage.line,
		callerName: call.person,
		callerExt: inbound ? carrier.extension : '',
		...{ callSummary: call.summary, callContentTags: call.tags },
		...{ emailSubject: null, emailFrom: null },
		totalBids: amount === null ? 0 : 1,
		bidAmounts: amount === null ? '' : String(amount),
	};
}

/** Contract 2.2: there are email conversations, but not how their `type` is called. */
function emailConversation(
	brokerage: Brokerage,
	nth: number,
	call: HistoryCall,
): ConversationRecord {
	const [load] = call.loads;
	const person = personName(brokerage.seed, nth, streams.email);
	const mailbox = person.toLowerCase().replace(' ', '.');
	const domain = call.carrier.name.toLowerCase().replace(/[^a-z]/g, '');
	return {
		...{ ...conversationFields(brokerage, nth, call), type: 'email' },
		createdAt: isoTime(call.after),
		...{ fromPhone: null, callerName: null, callerExt: null },
		...{ callSummary: null, callContentTags: null },
		emailSubject: load
			? `Load ${load.number}: ${load.origin.name} to ${load.destination.name}`
			: 'Trucks available this week',
		emailFrom: `${mailbox}@${domain}.example`,
		...{ totalBids: 0, bidAmounts: '' },
	};
}

/** Contract 2.5. */
function bidRecord({ carrier, loads: [load], ...call }: HistoryCall): SalesBid {
	return {
		loadId: load?.number ?? 0,
		originLocation: load?.origin.name ?? '',
		destinationLocation: load?.destination.name ?? '',
		carrierMc: carrier.mcNumber,
		carrierDot: String(carrier.dotNumber),
		...{ phoneNumber: carrier.phone, extension: carrier.extension, callerName: call.person },
		...{ callSummary: call.summary, callDateTime: isoTime(call.at) },
	};
}

const DAY_MS = 86_400_000;

/** The number of days between two dates, both inclusive; dates are YYYY-MM-DD in UTC. */
export const dayCount = (startDate: string, endDate: string): number =>
	Math.max(0, (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1);

/** The figures of one day, `nth` days after the start date. */
export function dayMetrics(
	{ brokerage, calls, bids }: Archive,
	startDate: string,
	nth: number,
): AnalyticsEntry {
	const from = Date.parse(startDate) + nth * DAY_MS;
	const drawn = randomInt(brokerage.seed, from / DAY_MS, streams.dayMetrics);
	const totalCalls = calls.count(from, from + DAY_MS - 1);
	const totalBids = bids.count(from, from + DAY_MS - 1);
	return {
		date: isoTime(from),
		metrics: {
			totalCalls,
			successfulCalls: Math.round(totalCalls * (0.7 + (drawn % 25) / 100)),
			/** Seconds. */
			averageCallDuration: totalCalls === 0 ? 0 : 60 + ((drawn >>> 8) % 1200) / 10,
			totalBids,
			acceptedBids: Math.floor(totalBids * (0.15 + ((drawn >>> 16) % 20) / 100)),
		},
	};
}
