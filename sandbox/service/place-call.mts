import type { CallRecord, ConversationRecord, PlacedCall } from '../contract.mts';
import { type Archive, recordingUrl } from '../data/archive.mts';
import {
	CARRIER_COUNT,
	findLoad,
	type Load,
	loadAt,
	loadCount,
	type NetworkCarrier,
} from '../data/freight.mts';
import { type CallContent, contentFor, type Topic } from '../data/transcripts.mts';
import type { DialedCall, InsertedCall, InsertedRecords, OrganizationName } from '../types.mts';
import { completedEvent, liveEvents, startedEvent, type WebhookEvent } from '../webhooks.mts';
import type { Service } from './service.mts';

/** A requested call. */
export interface CallRequest {
	call: Omit<DialedCall, 'callId' | 'conversationId' | 'organization' | 'at'>;
	/** Who is called, if the request says so. */
	person: string | undefined;
	topic: Topic;
}

interface Records {
	call: CallRecord;
	conversation: ConversationRecord;
}

function newRecords(archive: Archive, dialed: DialedCall, person: string | undefined): Records {
	const { brokerage, network } = archive;
	const { dotNumber, toPhone } = dialed;
	const carrier = dotNumber === undefined ? undefined : network.byDot(dotNumber);
	const load = dialed.loadNumber ?? dialed.loadId;
	const shared = {
		createdAt: dialed.at,
		fromPhone: brokerage.line,
		callerName: person ?? null,
		callerExt: null,
		mcNumber: carrier?.mcNumber ?? null,
		dotNumber: dotNumber ?? null,
		carrierHwConnectionStatus: carrier?.connection ?? null,
		carrierHwRulesAssessment: carrier?.ruleAssessment ?? null,
	};
	return {
		call: {
			...{ id: dialed.callId, ...shared, toPhone, loadIds: load === undefined ? [] : [load] },
			// Unknown until the call has ended.
			...{ contentTags: null, summary: null, recordingUrl: null, transcript: null },
		},
		conversation: {
			...{ id: dialed.conversationId, type: 'call', ...shared, loads: load ?? '' },
			...{ callSummary: null, callContentTags: null, emailSubject: null, emailFrom: null },
			...{ totalBids: 0, bidAmounts: '' },
		},
	};
}

function addBid(
	archive: Archive,
	{ createdAt, toPhone, dotNumber, mcNumber, callerName }: CallRecord,
	about: { load: Load | undefined; reference: string | undefined; summary: string },
): void {
	const { load, reference = '', summary } = about;
	const [phoneNumber = null, extension = null] = toPhone?.split(';ext=') ?? [];
	archive.bids.add(
		{
			loadId: load?.number ?? (Number(reference.replace(/\D/g, '')) || 0),
			originLocation: load?.origin.name ?? null,
			destinationLocation: load?.destination.name ?? null,
			...{ carrierMc: mcNumber, carrierDot: String(dotNumber), phoneNumber, extension },
			...{ callerName, callSummary: summary, callDateTime: createdAt },
		},
		Date.parse(String(createdAt)),
	);
}

function addOutcome(
	archive: Archive,
	records: Records,
	dialed: DialedCall,
	request: CallRequest,
	said?: CallContent,
): void {
	const { brokerage, network } = archive;
	// A carrier outside the network answers under a name, too, the same one in each call.
	const dotNumber = dialed.dotNumber ?? 0;
	const carrier = network.byDot(dotNumber) ?? network.carrier(dotNumber % CARRIER_COUNT);
	const reference = dialed.loadNumber ?? dialed.loadId;
	const load = findLoad(brokerage, reference ?? '');
	const made = contentFor(request.topic, {
		...{ broker: brokerage.name, person: request.person ?? 'Sam', carrier: carrier.name },
		...{ load, reference, amount: load?.rate ?? 1500 },
		...{ at: Date.parse(dialed.at), variation: dialed.callId },
	});
	const { summary, transcript, tags } = said ?? made;
	const url = recordingUrl(brokerage.serviceUrl(), dialed.callId);
	Object.assign(records.call, {
		...{ summary, transcript },
		...{ contentTags: tags, recordingUrl: url },
	});
	Object.assign(records.conversation, { callSummary: summary, callContentTags: tags });
	if (request.topic === 'bid') addBid(archive, records.call, { load, reference, summary });
}

async function sendInTurn(
	{ courier }: Service,
	events: readonly WebhookEvent[],
	organization: OrganizationName,
): Promise<void> {
	for (const event of events) await courier.send(event, organization);
}

/** Dials: from here on the call is listed, and its end is scheduled. */
export function placeCall(
	service: Service,
	inProgress: CallsInProgress,
	organization: OrganizationName,
	request: CallRequest,
): PlacedCall {
	const archive = service.archives[organization];
	const at = service.now();
	const dialed: DialedCall = {
		...archive.nextIds(),
		organization,
		at: at.toISOString(),
		...request.call,
	};
	const records = newRecords(archive, dialed, request.person);
	archive.calls.add(records.call, at.getTime());
	archive.conversations.add(records.conversation, at.getTime());
	service.callRecords.set(dialed, records.call);
	service.ledger.writeCall(dialed);
	const topic = takeTopic(service, dialed, request.topic);
	if (service.startedEvents) {
		inProgress.also(service.courier.send(startedEvent(dialed, dialed.at), organization));
	}
	if (service.liveEvents) {
		inProgress.also(sendInTurn(service, liveEvents(dialed, dialed.at), organization));
	}
	inProgress.begin(service.callDelayMs, () => {
		const ending = service.endingOf?.(dialed);
		addOutcome(archive, records, dialed, { ...request, topic }, ending?.content);
		const event = completedEvent(dialed, records.call, service.now().toISOString());
		return ending ? ending.send(event) : service.courier.send(event, organization);
	});
	return {
		...{ id: dialed.callId, fromPhone: archive.brokerage.line, toPhone: dialed.toPhone },
		...{ status: 'IN_PROGRESS', conversationId: dialed.conversationId },
		...{ createdAt: dialed.at, updatedAt: dialed.at },
	};
}

/** No one answers a check call to a number that ends in 0190, so that the next step can be tried. */
const UNANSWERED = /0190(;|$)/;

/** One carrier in four bids on the load it is offered: those whose DOT number is divisible by 4. */
const bids = (dotNumber = 1): boolean => dotNumber % 4 === 0;

/** What a call will be about. The page may have requested a late driver. */
function takeTopic(
	service: Service,
	{ kind, toPhone, dotNumber }: Pick<DialedCall, 'kind' | 'toPhone' | 'dotNumber'>,
	topic: Topic,
): Topic {
	if (kind === 'carrierSalesCall' && bids(dotNumber)) return 'bid';
	if (kind !== 'checkCall') return topic;
	if (UNANSWERED.test(toPhone)) return 'voicemail';
	if (!service.nextDriverIsLate) return topic;
	service.nextDriverIsLate = false;
	return 'delayed';
}

/** What an inserted call, its conversation and its bid have in common. */
function recordContent(archive: Archive, records: InsertedRecords, id: number, at: number) {
	const { brokerage, network } = archive;
	const mc = records.mcNumber === undefined ? -1 : network.indexOfMc(records.mcNumber);
	const carrier = network.carrier(mc < 0 ? id : mc);
	const load =
		records.loadId === undefined
			? loadAt(brokerage, id % loadCount(brokerage))
			: findLoad(brokerage, records.loadId);
	const reference = records.loadId ?? String(load?.number);
	const amount = load?.rate ?? 1500;
	const person = carrier.name.split(' ')[0] ?? '';
	const content = contentFor('bid', {
		...{ broker: brokerage.name, person, carrier: carrier.name },
		...{ load, reference, amount, at, variation: id },
	});
	const { summary = content.summary, tags = content.tags } = records;
	return { carrier, load, reference, amount, person, content, summary, tags };
}

const assessmentOf = (carrier: NetworkCarrier, mcNumber: string | undefined) => ({
	mcNumber: mcNumber ?? carrier.mcNumber,
	dotNumber: carrier.dotNumber,
	carrierHwConnectionStatus: carrier.connection,
	carrierHwRulesAssessment: carrier.ruleAssessment,
});

function insertOne(archive: Archive, records: InsertedRecords, at: number): InsertedCall {
	const { callId, conversationId } = archive.nextIds();
	const { brokerage } = archive;
	const { carrier, load, reference, amount, person, content, summary, tags } = recordContent(
		archive,
		records,
		callId,
		at,
	);
	const createdAt = new Date(at).toISOString();
	const caller = { fromPhone: carrier.phone, callerName: person, callerExt: carrier.extension };
	const assessment = assessmentOf(carrier, records.mcNumber);
	const { transcript = content.transcript } = records;
	archive.calls.add(
		{
			...{ id: callId, createdAt, ...caller, ...assessment, summary, transcript },
			...{ toPhone: records.toPhone ?? brokerage.line, loadIds: [reference] },
			contentTags: tags,
			recordingUrl: recordingUrl(brokerage.serviceUrl(), callId),
		},
		at,
	);
	archive.conversations.add(
		{
			...{ id: conversationId, type: 'call', createdAt, ...caller, ...assessment },
			...{ callSummary: summary, callContentTags: tags, loads: reference },
			...{ totalBids: 1, bidAmounts: String(amount), emailSubject: null, emailFrom: null },
		},
		at,
	);
	archive.bids.add(
		{
			loadId: load?.number ?? (Number(reference.replace(/\D/g, '')) || 0),
			originLocation: load?.origin.name ?? null,
			destinationLocation: load?.destination.name ?? null,
			carrierMc: assessment.mcNumber,
			carrierDot: String(carrier.dotNumber),
			...{ phoneNumber: carrier.phone, extension: carrier.extension, callerName: person },
			...{ callSummary: summary, callDateTime: createdAt },
		},
		at,
	);
	return { callId, at: createdAt, phone: carrier.phone, load: reference, summary, transcript };
}

/** Adds calls, each with its conversation and bid. Returns the IDs of the calls, oldest first. */
export function insertRecords(service: Service, records: InsertedRecords): number[] {
	const archive = service.archives[records.organization ?? 'north'];
	const count = records.count ?? 1;
	const end =
		records.createdAt === undefined ? service.now().getTime() : Date.parse(records.createdAt);
	const calls = Array.from({ length: count }, (_, nth) =>
		insertOne(archive, records, end - count + 1 + nth),
	);
	service.insertedCalls.push(...calls);
	return calls.map(({ callId }) => callId);
}

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
