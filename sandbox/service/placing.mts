import type { CallRecord, PlacedCall } from '../contract/call.mts';
import type { ConversationRecord } from '../contract/conversation.mts';
import type { Archive } from '../data/archive.mts';
import { recordingUrl } from '../data/calls.mts';
import { findLoad } from '../data/loads.mts';
import { talkAbout, type Topic, withLineBreaks } from '../data/talk.mts';
import type { DialledCall, OrganizationName } from '../types.mts';
import { completedEvent, startedEvent } from '../webhooks/event.mts';
import type { CallsInProgress } from './calls-in-progress.mts';
import type { Service } from './service.mts';

/** A call that was asked for. */
export interface CallWish {
	call: Omit<DialledCall, 'callId' | 'conversationId' | 'organization' | 'at'>;
	/** Who is called, if the request says. */
	person: string | undefined;
	topic: Topic;
}

interface Records {
	call: CallRecord;
	conversation: ConversationRecord;
}

function recordsOf(archive: Archive, dialled: DialledCall, person: string | undefined): Records {
	const { brokerage, network } = archive.facts;
	const { dotNumber, toPhone } = dialled;
	const carrier = dotNumber === undefined ? undefined : network.byDot(dotNumber);
	const load = dialled.loadNumber ?? dialled.loadId;
	const shared = {
		createdAt: dialled.at,
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
			...{ id: dialled.callId, ...shared, toPhone, loadIds: load === undefined ? [] : [load] },
			// Not known before the call has ended.
			...{ contentTags: null, summary: null, recordingUrl: null, transcript: null },
		},
		conversation: {
			...{ id: dialled.conversationId, type: 'call', ...shared, loads: load ?? '' },
			...{ callSummary: null, callContentTags: null, emailSubject: null, emailFrom: null },
			...{ totalBids: 0, bidAmounts: '' },
		},
	};
}

function conclude(archive: Archive, records: Records, dialled: DialledCall, wish: CallWish): void {
	const { brokerage } = archive.facts;
	const reference = dialled.loadNumber ?? dialled.loadId;
	const { summary, transcript, tags } = talkAbout(wish.topic, {
		...{ broker: brokerage.name, person: wish.person ?? 'Sam', carrier: 'the carrier' },
		...{ load: findLoad(brokerage, reference ?? ''), reference, amount: 0 },
		chance: dialled.callId,
	});
	const url = recordingUrl(brokerage.serviceUrl(), dialled.callId);
	Object.assign(records.call, {
		...{ summary, transcript: withLineBreaks(transcript) },
		...{ contentTags: tags, recordingUrl: url },
	});
	Object.assign(records.conversation, { callSummary: summary, callContentTags: tags });
}

/** Dials: from here on the call is in the lists, and its end is on its way. */
export function placeCall(
	service: Service,
	inProgress: CallsInProgress,
	organization: OrganizationName,
	wish: CallWish,
): PlacedCall {
	const archive = service.archives[organization];
	const at = service.now();
	const dialled: DialledCall = {
		...archive.nextIds(),
		organization,
		at: at.toISOString(),
		...wish.call,
	};
	const records = recordsOf(archive, dialled, wish.person);
	archive.calls.add(records.call, at.getTime());
	archive.conversations.add(records.conversation, at.getTime());
	service.ledger.writeCall(dialled);
	if (service.startedEvents) {
		inProgress.also(service.courier.send(startedEvent(dialled, dialled.at), organization));
	}
	inProgress.begin(service.callDelayMs, () => {
		conclude(archive, records, dialled, wish);
		const event = completedEvent(dialled, records.call, service.now().toISOString());
		return service.courier.send(event, organization);
	});
	return {
		...{ id: dialled.callId, fromPhone: archive.facts.brokerage.line, toPhone: dialled.toPhone },
		...{ status: 'IN_PROGRESS', conversationId: dialled.conversationId },
		...{ createdAt: dialled.at, updatedAt: dialled.at },
	};
}
