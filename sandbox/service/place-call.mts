import type { CallRecord, PlacedCall } from '../contract/call.mts';
import type { ConversationRecord } from '../contract/conversation.mts';
import type { Archive } from '../data/archive.mts';
import { recordingUrl } from '../data/calls/calls.mts';
import { CARRIER_COUNT } from '../data/freight/carriers.mts';
import { findLoad, type Load } from '../data/freight/loads.mts';
import { contentFor, type Topic, withLineBreaks } from '../data/calls/transcripts.mts';
import type { DialedCall, OrganizationName } from '../types.mts';
import { completedEvent, liveEvents, startedEvent, type WebhookEvent } from '../webhooks/event.mts';
import type { CallsInProgress } from './calls-in-progress.mts';
import type { Service } from './service.mts';
import { takeTopic } from './topic.mts';

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
	const { brokerage, network } = archive.facts;
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
): void {
	const { brokerage, network } = archive.facts;
	// A carrier outside the network answers under a name, too, the same one in each call.
	const dotNumber = dialed.dotNumber ?? 0;
	const carrier = network.byDot(dotNumber) ?? network.carrier(dotNumber % CARRIER_COUNT);
	const reference = dialed.loadNumber ?? dialed.loadId;
	const load = findLoad(brokerage, reference ?? '');
	const { summary, transcript, tags } = contentFor(request.topic, {
		...{ broker: brokerage.name, person: request.person ?? 'Sam', carrier: carrier.name },
		...{ load, reference, amount: load?.rate ?? 1500 },
		variation: dialed.callId,
	});
	const url = recordingUrl(brokerage.serviceUrl(), dialed.callId);
	Object.assign(records.call, {
		...{ summary, transcript: withLineBreaks(transcript) },
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
		addOutcome(archive, records, dialed, { ...request, topic });
		const event = completedEvent(dialed, records.call, service.now().toISOString());
		return service.courier.send(event, organization);
	});
	return {
		...{ id: dialed.callId, fromPhone: archive.facts.brokerage.line, toPhone: dialed.toPhone },
		...{ status: 'IN_PROGRESS', conversationId: dialed.conversationId },
		...{ createdAt: dialed.at, updatedAt: dialed.at },
	};
}
