import type { End } from './callOutcome';

/** Longer texts are cut before they are searched. */
const MAX_SUMMARY = 5000;
const MAX_TRANSCRIPT = 50_000;
const MAX_LINE = 1000;

/** Who else a call may be about: a driver may tell that the receiver didn't answer. */
const THIRD_PARTY =
	/\b(receiver|shipper|consignee|warehouse|facility|dock|guard|customer|broker|office|tracking|app)\b/i;

const NO_MESSAGE =
	/\b(no|not leave( a)?|without( leaving)?( a)?|n['’]t leave( a)?|unable to leave( a)?) (voice ?mail|message)\b/gi;

type Ends = ReadonlyArray<readonly [End, RegExp]>;

const ENDS: Ends = [
	[
		'wrongNumber',
		/\b(wrong|incorrect) (number\b(?! of)|person\b|party\b)|\bnumber (is|was|has been)? ?(not in service|disconnected|invalid|out of service|no longer)|\bnot in service\b|\binvalid (phone )?number\b/i,
	],
	[
		'voicemail',
		/\bvoice ?mail|\bL?VM\b|\banswering machine\b|\bmail ?box\b|\brecorded greeting\b|\bleft (a |an? \w+ )?message\b(?! (with|for) )/i,
	],
	[
		'noAnswer',
		/\bno[ -]answer|\b(no one|nobody) (answered|picked)|\b(did not|didn['’]t|never) (answer(?! (the |any |my |our |that |this )?question)|pick(ed)? up)|\bnever answered\b|\bunanswered\b|\b(line|phone) (was|is) busy\b|\bnot (answering|picking up)\b|\bbusy (signal|tone)\b|\bno pick ?up\b|\b(unable|not able|failed) to (reach|get (a hold|through|in touch)|speak|talk|contact)|\b(could not|couldn['’]t|was not able to|wasn['’]t able to|did not|didn['’]t) (reach|connect|get (a hold|through|in touch)|speak (to|with)|talk (to|with))|\b(was|were)(n['’]t| not) reached\b|\bunreachable\b|\bno response\b|\bno contact\b/i,
	],
	[
		'noAnswer',
		/\b(kept|just) ringing\b|\brang (out|and rang)\b|\bwithout (an? )?(answer|response|reply|success)\b|\bno reply\b|\bline (was|is) engaged\b|(?<!\b(his|her|their|my) )\bphone (is|was|has been) (switched|turned|powered) off\b|\bphone (has|had) no (coverage|service|signal)\b|\b(not|never|n['’]t) (come|came) to the phone\b|\bnot available to (take|come|speak|talk)\b|\b(no one|nobody|none)\b[^.;]{0,30}\b(came to the phone|took the call|reached|at the other end)\b/i,
	],
	[
		'failed',
		/\bcall (has |was )?(failed|dropped before)|\bfailed to connect\b|\bcould not be (connected|completed|placed)\b|\btechnical (error|issue|problem|difficult)/i,
	],
	['canceled', /\bcall (was |has been |got )?(cancell?ed|aborted)\b/i],
];

/**
 * How a call ended according to its summary, if it reached no one.
 * @param isSpokenWith whether the transcript shows that a person talked; then what happened to others doesn't count
 */
export function endInSummary(summary: string, isSpokenWith: boolean): End | undefined {
	const text = summary.slice(0, MAX_SUMMARY);
	const sentences = text
		.split(/(?<=[.!?;])\s/)
		.filter((each) => !isSpokenWith || !THIRD_PARTY.test(each));
	const about = sentences.join(' ');
	if (/^\s*no (voice ?mail|message)/i.test(about)) return 'noAnswer';
	const kept = about.replace(NO_MESSAGE, ' ');
	return endIn(kept, ENDS) ?? (kept === about ? undefined : 'noAnswer');
}

const REASONS: Ends = [
	['voicemail', /\b(voicemail|voice mail|machine)\b/],
	['wrongNumber', /\b(wrong|invalid|unallocated) (number|destination)\b|\bnot in service\b/],
	['noAnswer', /\b(no ?answer|not answer(ed)?|unanswered|busy|rejected|declined)\b/],
	['canceled', /\bcancell?ed\b/],
	['failed', /\b(failed|failure|error)\b/],
];

/** Why the line was disconnected, in a phone system's words: "customer did not answer", "machine start". */
export function endInReason(reason: string): End | undefined {
	return endIn(reason, REASONS);
}

function endIn(text: string, ends: Ends): End | undefined {
	return ends.find(([, words]) => words.test(text))?.[0];
}

const PERSON =
	'driver|dispatcher|dispatch|carrier|contact|receiver|shipper|facility|owner|manager|clerk|guard|he|she|they'
		.split('|')
		.map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`)
		.join('|');
const SAID =
	'answered|picked up the (?:phone|call)|said|says|confirmed|reported|reports|stated|advised|told|explained|agreed|offered|quoted|declined|accepted|asked|requested|mentioned|estimates|expects|provided|gave|replied|(?:will|is going to) call (?:us )?back';

/** "Driver Sam Ellis reported", "the carrier also offered", but not "the driver was asked". */
const SPEAKS = new RegExp(
	`(?<!\\b[Nn]o )\\b(?:${PERSON})(?: (?:[A-Z][\\w'’.-]*|of|has|had|also|then|just|already)){0,6} (?:${SAID})\\b(?! nothing)`,
);
const ANSWERED = new RegExp(`\\banswered and (?:${SAID})\\b`);
const IS_ON_THE_ROAD =
	/\b(?:[Dd]river|[Hh]e|[Ss]he)(?: [A-Z][\w'’.-]*){0,3} (?:is|was) (?:rolling|en route|on (?:his|her|the) way|checked in|\d+ (?:miles|minutes) (?:out|away))/;

/** Whether a summary says that someone talked with the agent. */
export function saysSpokenWith(summary: string): boolean {
	const text = summary.slice(0, MAX_SUMMARY);
	const spoke = /(?<!\b(?:not|never|n['’]t|to|before) )\b(?:spoke|talked) (?:with|to)\b/i;
	const says = [spoke, ANSWERED, SPEAKS, IS_ON_THE_ROAD];
	return says.some((words) => words.test(text)) || explainsDelay(text);
}

/** "Driver is late: flat tire", "driver Sam Ellis is delayed due to traffic". */
const GIVES_REASON =
	/\b[Dd]river(?: [A-Z][\w'’.-]*){0,3} (?:is|was|will be) (?:running )?(?:late|delayed|behind(?: schedule)?)\b[^.:;]{0,40}(?::| because| due to) \w/;
const NEW_ETA = /\b(?:new|updated) ETA\b/i;
const TRACKED = /\b(?:tracking|tracked|app|GPS|ELD|ping\w*|system|portal|TMS)\b/i;

/** Tracking knows that a driver is late, but only the driver gives a reason and a new ETA. */
function explainsDelay(text: string): boolean {
	const isTold = GIVES_REASON.test(text) && NEW_ETA.test(text) && !TRACKED.test(text);
	return isTold && etaInSummary(text) !== undefined;
}

const TIME =
	'(?:[01]?\\d|2[0-3])(?::[0-5]\\d(?: ?(?:[ap]m|[ap]\\.m\\.))?| ?(?:[ap]m|[ap]\\.m\\.))(?: [ECMP][SD]?T)?';

/** "ETA 8:30", "New ETA 17:45", "ETA is 3 PM", with nothing after it that changes the time. */
const ETA = new RegExp(
	`(?:^|[.;,!] ?|\\b(?:new|updated|current) )ETA:? (?:is )?(${TIME})(?=$|[.;!](?:\\s|$)|\\s*$|, (?:on time|on schedule|early|\\d+ mi(?:les?|n)?\\b))`,
	'gi',
);
const ANY_ETA = new RegExp(
	`(?<!\\b(?:original|previous|old|first|earlier) )\\bETA:? (?:is )?(${TIME})`,
	'gi',
);
/** A sentence whose ETA the person may not have given. */
const IN_DOUBT =
	/\b(?:if|unless|not|no|asked|or|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|n['’]t\b/i;

/** The ETA that a summary of a call with a person says, as it says it, if it says exactly one. */
export function etaInSummary(summary: string): string | undefined {
	const text = summary.slice(0, MAX_SUMMARY);
	// "3 p.m. CT" is one time.
	const sentences = text.split(/(?<=[.!?;])\s(?![ECMP][SD]?T\b)/);
	const clear = sentences.filter((each) => !TRACKED.test(each) && !IN_DOUBT.test(each));
	const [found] = clear.flatMap((each) => [...each.matchAll(ETA)].map(([, time]) => time));
	const isOther = ([, time]: RegExpMatchArray) => time !== found;
	return [...text.matchAll(ANY_ETA)].some(isOther) ? undefined : found;
}

const AGENT =
	/^(ai|agent|assistant|bot|voice ?bot|system|tool|function|((ai|voice|virtual) (agent|assistant)))$/i;
const HUMAN =
	/^(user|human|driver|dispatch|dispatcher|carrier|customer|caller|callee|contact|person|receiver|shipper|facility|client|recipient|clerk|owner|manager)$/i;

/** Any of these, where a word begins. */
function anyOf(...patterns: string[]): RegExp {
	return new RegExp(`\\b(?:${patterns.join('|')})`, 'i');
}

const GREETING = anyOf(
	'leave (?:me |us )?(?:a|your) (?:brief |short |detailed )?(?:message|name|number)',
	'(?:after|at) the (?:beep|tone)|voice ?mail|voice messag|mail ?box|(?:record|recording) your message',
	"(?:can['’]?t|cannot|unable to|not able to) (?:come to|take|answer|get to) (?:the|your|my) (?:phone|call)",
	"you(?:['’]ve| have) reached|(?:is|am|are) (?:currently |presently )?(?:not available|unavailable)",
	'sorry (?:I|we) missed your call|(?:call|get back to) you (?:back )?as soon as|not accepting calls',
	'deje su mensaje|buz[oó]n de voz|has not set up|(?:cellular|wireless) customer',
);
const NOT_IN_SERVICE =
	/\bnot in service\b|\bhas been disconnected\b|\bno longer in service\b|\bcannot be completed as dialed\b/i;
const WRONG_NUMBER = /\bwrong number\b(?! of)|\bwrong person\b/i;
/** A dispatcher may say it as well. */
const SOFT_GREETING = /\byou(?:['’]ve| have)? reached\b/i;
const MACHINE = anyOf(
	'(?:press|dial|say) (?:\\d|one|two|zero|pound|star)\\b|your party|extension\\b|directory\\b',
	'screening|(?:state|record|say) your name|reason for (?:your|the) call|if this person is available',
	'(?:please|kindly) (?:hold|stay on the line|wait)|your call (?:is|will|may)|calls? (?:is|are|may be|will be) (?:being )?record',
	'(?:office|we) (?:is|are) (?:currently |now )?closed|(?:office|business) hours|thank you for calling|forwarded to',
	'all of our|next available|the person you are (?:calling|trying)|subscriber|para español',
);

const MACHINES = [GREETING, NOT_IN_SERVICE, MACHINE];
/** Fewer words ("Hello?") may be a machine's. */
const MIN_WORDS = 4;
/** A greeting, in any words, is one turn: only a person answers what the agent says. */
const MIN_TURNS = 2;

export interface Heard {
	/** What the person said, without the lines of machines. */
	lines: string[];
	isSpokenWith: boolean;
	hasSpeakers: boolean;
	/** Whether only the voice agent has lines. */
	isAgentOnly: boolean;
	end: End | undefined;
}

/** Reads a transcript with a line per message, "Driver: On my way." Lines without a known speaker don't count. */
export function readTranscript(transcript = ''): Heard {
	const messages = transcript.slice(0, MAX_TRANSCRIPT).split('\n').map(readLine);
	const theirs = messages.filter(({ role }) => HUMAN.test(role)).map(({ text }) => text);
	const isAgent = messages.some(({ role }) => AGENT.test(role));
	const isSaid = (words: RegExp) => theirs.some((line) => words.test(line));
	const lines = new Set<string>();
	let turns = 0;
	let isAgentsTurn = true;
	for (const { role, text } of messages) {
		if (AGENT.test(role)) isAgentsTurn = true;
		if (!HUMAN.test(role) || MACHINES.some((words) => words.test(text))) continue;
		// A machine repeats itself.
		if (isAgentsTurn && /\w/.test(text) && !lines.has(text)) turns++;
		isAgentsTurn = false;
		lines.add(text);
	}
	const words = [...lines].join(' ').match(/[\p{L}\d]+/gu)?.length ?? 0;
	let end: End | undefined;
	if (isSaid(WRONG_NUMBER) || isSaid(NOT_IN_SERVICE)) end = 'wrongNumber';
	else if (isSaid(GREETING) || (turns < MIN_TURNS && isSaid(SOFT_GREETING))) end = 'voicemail';
	return {
		...{ lines: [...lines], end },
		isSpokenWith: end === undefined && turns >= MIN_TURNS && words >= MIN_WORDS,
		hasSpeakers: isAgent || theirs.length > 0,
		isAgentOnly: isAgent && theirs.every((line) => line.trim() === ''),
	};
}

function readLine(line: string): { role: string; text: string } {
	const start = line.slice(0, MAX_LINE);
	const [, role = '', text = ''] =
		/^\s{0,20}(?:\[[^\]]{0,20}\] ?)?([A-Za-z][A-Za-z ]{0,30}): ?(.*)$/.exec(start) ?? [];
	return { role: role.trim(), text };
}

/** "Don't call before 8" asks for another time, and "don't call the receiver" is about another call. */
const AT_A_TIME =
	'(?! (?:me |us |him |her |back )?(?:again )?(?:before|until|till|while|during|after|at|between|so|when|if|in|for|tomorrow|today|tonight|on|the|(?:this|that)(?! number))\\b)';

const OPT_OUTS = [
	`\\b(?:do not|don['’]?t|never|quit|stop) (?:ever |to )?(?:call|contact|phone|text)(?:ing)?\\b${AT_A_TIME}`,
	`\\b(?:not to|no longer|to not|n['’]t want to|not want to) be (?:called|contacted|phoned|texted)\\b${AT_A_TIME}`,
	`\\bdo[- ]not[- ](?:call|contact)[- ](?:list|request|registry)`,
	`\\bstop (?:all )?(?:the |these |your )?(?:calls|calling)\\b`,
	`\\bno (?:more|further) (?:phone )?calls\\b`,
	`\\b(?:remove|delete) (?:me|us|him|her|them|(?:my|our|this|his|her|their|the) (?:phone )?number)\\b(?! from (?:the|this|that|my) load)`,
	`\\btake (?:me|us|him|her|them|(?:my|our|this|his|her|their|the) (?:phone )?number) off (?:of )?(?:your|the|this|our|all) (?:\\w+ )?(?:list|calls|database|system|dialer)`,
	`\\bbe (?:removed|taken off)\\b[^.]{0,30}\\b(?:list|calls|database|system|dialer)\\b`,
	`\\bopt(?:ed|ing|s)?[ -]?out\\b(?! of (?!(?:all |any |the |these |our |future |further |automated |phone ){0,3}(?:calls?|calling|contact|being)))`,
	`\\bunsubscribed?\\b`,
	`\\blose (?:my|this|our) number\\b`,
].map((pattern) => new RegExp(pattern, 'gi'));

const NEGATED = /\b(?:not|never|no|n['’]t|without)(?: \w+){0,3} ?$/i;

/** Whether someone asks not to be called again. */
export function asksNotToBeCalled(text: string): boolean {
	const said = text.slice(0, MAX_SUMMARY);
	return OPT_OUTS.some((words) =>
		[...said.matchAll(words)].some(
			({ index }) => !NEGATED.test(said.slice(Math.max(0, index - 40), index)),
		),
	);
}
