import { contentFor, withLineBreaks } from '../data/calls/transcripts.mts';
import { loadAt, findLoad, loadCount } from '../data/freight/loads.mts';
import { recordingUrl } from '../data/calls/calls.mts';
import type { Archive } from '../data/archive.mts';
import type { NetworkCarrier } from '../data/freight/carriers.mts';
import type { InsertedCall, InsertedRecords } from '../types.mts';
import type { Service } from './service.mts';

/** What an inserted call, its conversation and its bid have in common. */
function recordContent(archive: Archive, records: InsertedRecords, id: number) {
	const { brokerage, network } = archive.facts;
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
		...{ load, reference, amount, variation: id },
	});
	const summary = records.summary ?? content.summary;
	return { carrier, load, reference, amount, person, content, summary };
}

const assessmentOf = (carrier: NetworkCarrier, mcNumber: string | undefined) => ({
	mcNumber: mcNumber ?? carrier.mcNumber,
	dotNumber: carrier.dotNumber,
	carrierHwConnectionStatus: carrier.connection,
	carrierHwRulesAssessment: carrier.ruleAssessment,
});

function insertOne(archive: Archive, records: InsertedRecords, at: number): InsertedCall {
	const { callId, conversationId } = archive.nextIds();
	const { brokerage } = archive.facts;
	const { carrier, load, reference, amount, person, content, summary } = recordContent(
		archive,
		records,
		callId,
	);
	const createdAt = new Date(at).toISOString();
	const caller = { fromPhone: carrier.phone, callerName: person, callerExt: carrier.extension };
	const assessment = assessmentOf(carrier, records.mcNumber);
	const transcript = withLineBreaks(content.transcript);
	archive.calls.add(
		{
			...{ id: callId, createdAt, ...caller, ...assessment, summary, transcript },
			...{ toPhone: records.toPhone ?? brokerage.line, loadIds: [reference] },
			contentTags: content.tags,
			recordingUrl: recordingUrl(brokerage.serviceUrl(), callId),
		},
		at,
	);
	archive.conversations.add(
		{
			...{ id: conversationId, type: 'call', createdAt, ...caller, ...assessment },
			...{ callSummary: summary, callContentTags: content.tags, loads: reference },
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
