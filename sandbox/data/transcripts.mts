import type { Load } from './freight.mts';

export type Topic = 'bid' | 'question' | 'enRoute' | 'atFacility' | 'delayed' | 'voicemail';

/** What was said, as the lists show it. */
export interface CallContent {
	summary: string;
	transcript: string;
	/** Comma-separated. */
	tags: string;
}

export interface ContentFacts {
	/** The broker's name. */
	broker: string;
	/** Who is on the other side. */
	person: string;
	carrier: string;
	load: Load | undefined;
	/** The client's own name for a load that the history doesn't have. */
	reference?: string | undefined;
	/** The requested price in dollars, for a bid. */
	amount: number;
	/** When the call is, in milliseconds since the epoch. */
	at: number;
	/** Any number, to vary times and distances. */
	variation: number;
}

function about({ load, reference }: ContentFacts): string {
	if (load) return `load ${load.number} from ${load.origin.name} to ${load.destination.name}`;
	return reference === undefined ? 'the loads on the board' : `load ${reference}`;
}

const inChicago = new Intl.DateTimeFormat('en-US', {
	...{ timeZone: 'America/Chicago', hour: 'numeric', minute: '2-digit' },
});
const QUARTER_MS = 900_000;

/** So many minutes after the call, at a quarter hour: "3:45 PM CT". */
function clock({ at }: ContentFacts, minutes: number): string {
	const time = Math.ceil((at + minutes * 60_000) / QUARTER_MS) * QUARTER_MS;
	return `${inChicago.format(time).replace(/\s/, ' ')} CT`;
}

function bid(facts: ContentFacts): CallContent {
	const { broker, person, carrier, load, amount } = facts;
	const offered = load ? load.rate : amount;
	return {
		summary: `${person} of ${carrier} offered $${amount} all in for ${about(facts)}; posted at $${offered}. Truck is empty tomorrow morning.`,
		transcript: `Agent: Thanks for calling ${broker}, this is Avery, an AI assistant, on a recorded line. Which load are you calling about?\nCarrier: Hey, ${person} with ${carrier}. I'm looking at ${about(facts)}.\nAgent: It is ${load?.miles ?? 'about 400'} miles, ${load?.equipment ?? 'Dry Van'}, and we have $${offered} on it. Does that work?\nCarrier: I'd need $${amount} all in.\nAgent: I'll put $${amount} down and a rep will get back to you.\nCarrier: Sounds good, thanks.`,
		tags: 'bid,rate_negotiation',
	};
}

function question(facts: ContentFacts): CallContent {
	const { broker, person, carrier, load } = facts;
	return {
		summary: `${person} of ${carrier} asked about ${about(facts)}: weight, appointment times and whether it is still open. No offer was made.`,
		transcript: `Agent: Thanks for calling ${broker}, this is Avery, an AI assistant, on a recorded line. How can I help?\nCarrier: ${person} with ${carrier}. Is ${about(facts)} still open?\nAgent: It is. ${load?.equipment ?? 'Dry Van'}, 38,000 pounds, pickup is first come, first served.\nCarrier: Let me talk to my driver and I'll call you back.`,
		tags: 'load_inquiry',
	};
}

function enRoute(facts: ContentFacts): CallContent {
	const { broker, person, variation } = facts;
	const miles = 40 + (variation % 300);
	const eta = clock(facts, 60 + 1.2 * miles);
	return {
		summary: `Driver ${person} is rolling on ${about(facts)}. ETA ${eta}, on time, ${miles} miles out. No issues reported.`,
		transcript: `Agent: Hi ${person}, this is Avery, an AI assistant with ${broker}, on a recorded line, calling about ${about(facts)}. Where are you right now?\nDriver: About ${miles} miles out, traffic is fine.\nAgent: What is your ETA to the next stop?\nDriver: Should be there at ${eta}.\nAgent: Great, I have you at ${eta}. Drive safe.`,
		tags: 'check_call,on_time',
	};
}

function atFacility(facts: ContentFacts): CallContent {
	const { broker, person, variation } = facts;
	const door = 1 + (variation % 60);
	const since = clock(facts, -30 - (variation % 120));
	return {
		summary: `Driver ${person} checked in for ${about(facts)} at ${since}, is in door ${door} and waits for paperwork.`,
		transcript: `Agent: Hi ${person}, this is Avery, an AI assistant with ${broker}, on a recorded line, about ${about(facts)}. Are you checked in?\nDriver: Yes, since ${since}, door ${door}.\nAgent: Have they started on you?\nDriver: They're on it, I just need the paperwork.\nAgent: Thanks, please send the BOL when you have it.`,
		tags: 'check_call,at_facility',
	};
}

function delayed(facts: ContentFacts): CallContent {
	const { broker, person, variation } = facts;
	const held = 2 + (variation % 4);
	const eta = clock(facts, 60 * (2 + held) + (variation % 60));
	return {
		summary: `Driver ${person} is late on ${about(facts)}: held ${held} hours at the last stop. New ETA ${eta}. Receiver needs to be notified.`,
		transcript: `Agent: Hi ${person}, this is Avery, an AI assistant with ${broker}, on a recorded line, about ${about(facts)}. How is it looking?\nDriver: They held me ${held} hours at the last stop, I'm behind.\nAgent: What is your new ETA?\nDriver: ${eta}, if the weigh station is quick.\nAgent: I'll let the receiver know.`,
		tags: 'check_call,delay,detention',
	};
}

function voicemail(facts: ContentFacts): CallContent {
	const { broker } = facts;
	return {
		summary: `No answer about ${about(facts)}; left a voicemail asking for a call back.`,
		transcript: `Agent: Hi, this is Avery, an AI assistant with ${broker}, about ${about(facts)}. Please call us back when you can. Thank you.`,
		tags: 'voicemail,no_answer',
	};
}

const contentByTopic: Record<Topic, (facts: ContentFacts) => CallContent> = {
	bid,
	question,
	enRoute,
	atFacility,
	delayed,
	voicemail,
};

/** Summary, transcript and tags of a call on a topic. */
export const contentFor = (topic: Topic, facts: ContentFacts): CallContent =>
	contentByTopic[topic](facts);
