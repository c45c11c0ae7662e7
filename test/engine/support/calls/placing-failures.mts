import type { INodeParameters } from 'n8n-workflow';
import { drivers, statusFault, type Dispatch, type DispatchRun } from './dispatch.mts';

// Everything that can go wrong when a call is placed, and what its error must begin with.

export const NO = 'No phone rang.';
export const MAYBE = 'The phone may have rung.';

let carriers = 0;

/** What each operation needs besides the fields of a check call. */
export const OPERATIONS = {
	triggerCheckCall: () => ({}),
	triggerCarrierSalesCall: () => ({ loadId: '={{ $json.load }}', dotNumber: 1000 + carriers++ }),
	createAgentCall: () => ({ agentId: 'desk' }),
};

export type OperationName = keyof typeof OPERATIONS;

export const OPERATION_NAMES: OperationName[] = [
	...(['triggerCheckCall', 'triggerCarrierSalesCall', 'createAgentCall'] as const),
];

/** Those about a load. */
const WITH_LOAD: OperationName[] = ['triggerCheckCall', 'triggerCarrierSalesCall'];

export interface Failure {
	says: string;
	/** For which operations; for all by default. */
	of?: OperationName[];
	/** Those that an operation does not have do nothing. */
	parameters?: INodeParameters;
	/** Makes the run fail. */
	setUp?: (dispatch: Dispatch) => unknown;
	options?: (dispatch: Dispatch) => DispatchRun;
}

const invalid = (parameters: INodeParameters): Failure => ({ says: NO, parameters });
const rules = (given: INodeParameters): Failure => invalid({ rules: given });
const fault = (says: string, ...faults: Parameters<Dispatch['fail']>): Failure => ({
	says,
	setUp: (dispatch) => dispatch.fail(...faults),
});
const listFault = (dispatch: Dispatch, given: object) =>
	dispatch.sandbox.faults.add({
		...{ endpoint: 'listCalls', times: 'always' },
		fault: given as never,
	});
const credential = (more: object): Failure => ({
	says: NO,
	options: (dispatch) => {
		const own = dispatch.credentials.carrierLoadCommunicationsApi;
		return { credentials: { carrierLoadCommunicationsApi: { ...own, ...more } } };
	},
});
/** Twelve hours from now. */
const far = `${String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')}:`;
const closed = { hours: { range: { from: `${far}00`, to: `${far}30`, zone: "={{ 'UTC' }}" } } };

/** By what goes wrong. */
export const placingFailures: Record<string, Failure> = {
	'no phone number': invalid({ toPhone: "={{ '' }}" }),
	'a phone number that is null': invalid({ toPhone: '={{ null }}' }),
	'a phone number that is an object': invalid({ toPhone: '={{ { a: 1 } }}' }),
	'two phone numbers': invalid({ toPhone: '312-555-0188, 312-555-0189' }),
	'an expression that throws': invalid({ toPhone: '={{ $json.phone.nothing.here }}' }),
	'an extension with letters': invalid({ additionalFields: { extension: 'abc' } }),
	'nothing that it is about': invalid({
		...{ loadNumber: '={{ $json.nothing }}', loadId: '={{ $json.nothing }}' },
		agentId: '={{ $json.nothing }}',
	}),
	'only the fixed text of what it is about': invalid({
		...{ loadNumber: '=LD-{{ $json.nothing }}', loadId: '=LD-{{ $json.nothing }}' },
		agentId: '=agent-{{ $json.nothing }}',
	}),
	'a list as what it is about': invalid({
		...{ loadNumber: '={{ [1, 2] }}', loadId: '={{ [1, 2] }}', agentId: '={{ [1, 2] }}' },
	}),
	'an agent ID that leads elsewhere': { ...invalid({ agentId: '..' }), of: ['createAgentCall'] },
	'no number of a stop or carrier': {
		...invalid({ nextStopIndex: "={{ '' }}", dotNumber: "={{ '' }}" }),
		of: WITH_LOAD,
	},
	'a stop or a carrier below 0': {
		...invalid({ nextStopIndex: -1, dotNumber: -1 }),
		of: WITH_LOAD,
	},
	'an unknown contact type': {
		...invalid({ additionalFields: { contactType: 'boss' } }),
		of: ['triggerCheckCall'],
	},
	'an unknown country': invalid({ options: { defaultCountry: 'XX' } }),
	'too many calls in parallel': invalid({ options: { callsInParallel: 500 } }),
	'minutes below 0': invalid({ rules: { skipIfCalledWithin: -1 } }),
	'metadata or variables that are no JSON': invalid({
		...{ metadataFrom: 'json', metadataJson: '{' },
		...{ dynamicVariablesFrom: 'json', dynamicVariablesJson: '{' },
	}),
	'metadata with a list': {
		...invalid({ metadataFrom: 'json', metadataJson: '{"a":[1]}' }),
		of: WITH_LOAD,
	},
	'an unknown output': invalid({ output: 'everything' }),
	'no chosen fields': invalid({ output: 'selected', selectedFields: '={{ [] }}' }),
	'chosen fields that are a number': invalid({ output: 'selected', selectedFields: '={{ 5 }}' }),
	'an unknown wait': invalid({ waitForOutcome: 'always' }),
	'a wait of no time': invalid({ waitForOutcome: 'polling', waitLimit: 0 }),
	'two items for one event': {
		...{ ...invalid({ waitForOutcome: 'webhook' }), of: WITH_LOAD },
		options: () => ({ items: drivers(2) }),
	},
	'the number on the do-not-call list': rules({
		...{ doNotCall: '={{ $json.phone }}', onDoNotCall: 'error' },
	}),
	'do-not-call rows without a number': rules({ doNotCall: '={{ [{ name: "Luis" }] }}' }),
	'a do-not-call list of blanks': rules({ doNotCall: '={{ [null, ""] }}' }),
	'a do-not-call list of words': rules({ doNotCall: '={{ "nobody" }}' }),
	'a do-not-call list that is true': rules({ doNotCall: '={{ true }}' }),
	'closed hours': rules(closed),
	'unreadable hours': rules({ hours: { range: { from: 'noon' } } }),
	'an unknown zone': rules({ hours: { range: { zone: '={{ "Chicago" }}' } } }),
	'a country that is not allowed': rules({ allowedCountries: ['MX'] }),
	'an unknown mode': invalid({ callMode: 'test' }),
	'an invalid test number': invalid({ callMode: 'testNumber', testNumber: '12' }),
	'a field of an earlier version': invalid({ skipIfCalledWithin: 60 }),
	'more items than allowed': {
		...rules({ maxCalls: 1 }),
		options: () => ({ items: drivers(2) }),
	},
	'no access token': credential({ accessToken: '' }),
	'a wrong access token': credential({ accessToken: 'wrong-token-of-the-test' }),
	'no base URL': credential({ baseUrl: '' }),
	'a base URL that is only a word': credential({ baseUrl: 'carrier' }),
	'a base URL with the wrong protocol': {
		says: NO,
		options: (dispatch) => {
			const own = dispatch.credentials.carrierLoadCommunicationsApi;
			const baseUrl = String(own.baseUrl).replace('http:', 'https:');
			return { credentials: { carrierLoadCommunicationsApi: { ...own, baseUrl } } };
		},
	},
	'no credential': { says: NO, options: () => ({ credentials: {} }) },
	...Object.fromEntries(
		[400, 401, 403, 404, 409, 410, 413, 422, 451].map((status) => [
			`the status ${status}`,
			fault(NO, statusFault(status, { message: 'A preexisting call (ECONNREFUSED)' })),
		]),
	),
	...Object.fromEntries(
		[408, 499, 500, 501, 502, 503, 504, 520].map((status) => [
			`the status ${status}`,
			fault(MAYBE, statusFault(status)),
		]),
	),
	'a refusal': {
		...fault(NO, { kind: 'successFalse', message: 'A preexisting call' }),
		of: WITH_LOAD,
	},
	'a refused agent call': {
		...fault(NO, { kind: 'body', body: { status: 'refused', call: null } }),
		of: ['createAgentCall'],
	},
	'no call': fault(NO, { kind: 'callNull' }),
	'a web page': fault(MAYBE, { kind: 'html' }),
	'nothing in the answer': fault(MAYBE, { kind: 'emptyBody' }),
	'a list as the answer': fault(MAYBE, { kind: 'body', body: [] }),
	'a text as the answer': fault(MAYBE, { kind: 'body', body: 'ok' }),
	'a connection that breaks off': fault(MAYBE, { kind: 'reset', when: 'before' }),
	'no answer in time': {
		...fault(MAYBE, { kind: 'hang', when: 'before' }),
		parameters: { options: { timeout: 1, lookForLostAnswers: 0 } },
	},
	'a placed call that the list hides': {
		says: MAYBE,
		setUp: (dispatch) => {
			dispatch.fail({ kind: 'reset', when: 'after' });
			listFault(dispatch, { kind: 'body', body: { calls: [], pagination: { total: 0 } } });
		},
	},
	'a list that cannot be read after that': {
		says: MAYBE,
		setUp: (dispatch) => {
			dispatch.fail({ kind: 'reset', when: 'after' });
			listFault(dispatch, { kind: 'status', status: 404 });
		},
	},
	'a list that the guard cannot read': {
		...{ says: NO, of: WITH_LOAD, parameters: { rules: { skipIfCalledWithin: 10 } } },
		setUp: (dispatch) => listFault(dispatch, { kind: 'status', status: 404 }),
	},
	'a list that the guard cannot read as one': {
		...{ says: NO, of: WITH_LOAD, parameters: { rules: { skipIfCalledWithin: 10 } } },
		setUp: (dispatch) => listFault(dispatch, { kind: 'body', body: { nothing: true } }),
	},
	'an equal call in doubt': {
		says: MAYBE,
		parameters: { rules: { skipIfCalledWithin: 10 }, options: { lookForLostAnswers: 0 } },
		setUp: (dispatch) => dispatch.fail({ kind: 'reset', when: 'before' }),
		options: () => {
			const [one] = drivers(1);
			return { items: one ? [one, one] : [] };
		},
	},
};
