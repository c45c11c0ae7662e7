import type { INodeParameters } from 'n8n-workflow';
import { drivers, openDispatch, statusFault, type Dispatch } from '../support/calls/dispatch.mts';
import type { DispatchRun } from '../support/calls/dispatch.mts';

// A dispatcher reads the first words of an error, and decides by them whether to call again.

let dispatch: Dispatch;
beforeAll(async () => {
	dispatch = await openDispatch();
});
afterAll(() => dispatch.close());
beforeEach(() => dispatch.reset());

const NO = 'No phone rang.';
const MAYBE = 'The phone may have rung.';

interface Failure {
	says: string;
	parameters?: INodeParameters;
	/** Makes the run fail. */
	setUp?: () => unknown;
	options?: () => DispatchRun;
}

const invalid = (parameters: INodeParameters): Failure => ({ says: NO, parameters });
const rules = (given: INodeParameters): Failure => invalid({ rules: given });
const fault = (says: string, ...faults: Parameters<Dispatch['fail']>): Failure => ({
	says,
	setUp: () => dispatch.fail(...faults),
});
const listFault = (given: object) =>
	dispatch.sandbox.faults.add({
		...{ endpoint: 'listCalls', times: 'always' },
		fault: given as never,
	});
const credential = (more: object): Failure => ({
	says: NO,
	options: () => {
		const own = dispatch.credentials.carrierLoadCommunicationsApi;
		return { credentials: { carrierLoadCommunicationsApi: { ...own, ...more } } };
	},
});
/** Twelve hours from now. */
const far = `${String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')}:`;
const closed = { hoursFrom: `${far}00`, hoursTo: `${far}30`, hoursZone: "={{ 'UTC' }}" };

const failures: Record<string, Failure> = {
	'no phone number': invalid({ toPhone: "={{ '' }}" }),
	'a phone number that is null': invalid({ toPhone: '={{ null }}' }),
	'a phone number that is an object': invalid({ toPhone: '={{ { a: 1 } }}' }),
	'two phone numbers': invalid({ toPhone: '312-555-0188, 312-555-0189' }),
	'an expression that throws': invalid({ toPhone: '={{ $json.phone.nothing.here }}' }),
	'an extension with letters': invalid({ extension: 'abc' }),
	'no load': invalid({ loadNumber: '={{ $json.nothing }}' }),
	'a list as the load': invalid({ loadNumber: '={{ [1, 2] }}' }),
	'no stop': invalid({ nextStopIndex: "={{ '' }}" }),
	'a stop below 0': invalid({ nextStopIndex: -1 }),
	'a contact type that is none': invalid({ additionalFields: { contactType: 'boss' } }),
	'a country that is none': invalid({ options: { defaultCountry: 'XX' } }),
	'too many calls in parallel': invalid({ options: { callsInParallel: 500 } }),
	'minutes below 0': invalid({ skipIfCalledWithin: -1 }),
	'metadata that is no JSON': invalid({ metadataFrom: 'json', metadataJson: '{' }),
	'metadata with a list': invalid({ metadataFrom: 'json', metadataJson: '{"a":[1]}' }),
	'an output that is none': invalid({ output: 'everything' }),
	'no chosen fields': invalid({ output: 'selected', selectedFields: '={{ [] }}' }),
	'chosen fields that are none': invalid({ output: 'selected', selectedFields: '={{ 5 }}' }),
	'a wait that is none': invalid({ waitForOutcome: 'always' }),
	'a wait of no time': invalid({ waitForOutcome: 'polling', waitLimit: 0 }),
	'two items for one event': {
		...invalid({ waitForOutcome: 'webhook' }),
		options: () => ({ items: drivers(2) }),
	},
	'the number on the do-not-call list': rules({
		...{ doNotCall: '={{ $json.phone }}', onDoNotCall: 'error' },
	}),
	'a do-not-call list of objects': rules({ doNotCall: '={{ [{ phone: $json.phone }] }}' }),
	'a do-not-call list of blanks': rules({ doNotCall: '={{ [null, ""] }}' }),
	'a do-not-call list of words': rules({ doNotCall: '={{ "nobody" }}' }),
	'a do-not-call list that is true': rules({ doNotCall: '={{ true }}' }),
	'closed hours': rules(closed),
	'hours that are none': rules({ hoursFrom: 'noon' }),
	'a zone that is none': rules({ hoursZone: '={{ "Chicago" }}' }),
	'a country that is not allowed': rules({ allowedCountries: ['MX'] }),
	'a test number that is none': rules({ testNumber: '12' }),
	'more items than allowed': {
		...rules({ maxCalls: 1 }),
		options: () => ({ items: drivers(2) }),
	},
	'caps that cannot be counted': {
		...rules({ maxCallsPerHour: 5 }),
		setUp: () => Object.assign(dispatch.processedData, { broken: true }),
	},
	'no access token': credential({ accessToken: '' }),
	'a wrong access token': credential({ accessToken: 'wrong-token-of-the-test' }),
	'no base URL': credential({ baseUrl: '' }),
	'a base URL that is none': credential({ baseUrl: 'carrier' }),
	'a base URL with the wrong protocol': {
		says: NO,
		options: () => {
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
	'a refusal': fault(NO, { kind: 'successFalse', message: 'A preexisting call' }),
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
		setUp: () => {
			dispatch.fail({ kind: 'reset', when: 'after' });
			listFault({ kind: 'body', body: { calls: [], pagination: { total: 0 } } });
		},
	},
	'a list that cannot be read after that': {
		says: MAYBE,
		setUp: () => {
			dispatch.fail({ kind: 'reset', when: 'after' });
			listFault({ kind: 'status', status: 404 });
		},
	},
	'a list that the guard cannot read': {
		...{ says: NO, parameters: { skipIfCalledWithin: 10 } },
		setUp: () => listFault({ kind: 'status', status: 404 }),
	},
	'a list that the guard cannot read as one': {
		...{ says: NO, parameters: { skipIfCalledWithin: 10 } },
		setUp: () => listFault({ kind: 'body', body: { nothing: true } }),
	},
	'an equal call in doubt': {
		says: MAYBE,
		parameters: { skipIfCalledWithin: 10, options: { lookForLostAnswers: 0 } },
		setUp: () => dispatch.fail({ kind: 'reset', when: 'before' }),
		options: () => {
			const [one] = drivers(1);
			return { items: one ? [one, one] : [] };
		},
	},
};

describe.each(['stopWorkflow', 'continueRegularOutput'] as const)('on error %s', (onError) => {
	it.each(Object.entries(failures))(
		'%s: errors begin with whether a phone rang',
		async (_name, failure) => {
			failure.setUp?.();
			const { parameters, options, says } = failure;
			const settings = { options: { lookForLostAnswers: 0 }, ...parameters };
			const { items, error } = await dispatch.run(settings, { node: { onError }, ...options?.() });
			const shown = onError === 'stopWorkflow' ? error?.message : items[0]?.error;
			expect(String(shown).slice(0, says.length)).toBe(says);
			expect(String(shown)).not.toMatch(/rang\..* rang\.|undefined|\[object/);
			for (const { error: each } of items)
				expect(each).toMatch(/^(No phone rang|The phone may have rung|The call was placed)\. /);
			if (says === NO) expect(dispatch.dialed()).toEqual([]);
			else expect(dispatch.sandbox.ledger.requests('triggerCheckCall')).toHaveLength(1);
		},
	);
});

// n8n-core 2.41 (checkForWorkflowIssues) looks for these before the workflow starts.
it.each([
	['To Phone', { toPhone: '' }],
	['Load Number', { loadNumber: '' }],
	['Next Stop Index', { nextStopIndex: '' }],
	['Fields', { output: 'selected', selectedFields: [] }],
	['Load ID', { operation: 'triggerCarrierSalesCall', loadId: '', dotNumber: 7 }],
	['Agent ID', { operation: 'createAgentCall', agentId: '' }],
])('n8n itself does not start a workflow in which %s is empty', async (label, parameters) => {
	await expect(dispatch.run(parameters)).rejects.toThrow(`"${label}" is required`);
	expect(dispatch.sandbox.ledger.requests()).toEqual([]);
});
