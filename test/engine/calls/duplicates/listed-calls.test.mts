import { driver, type Driver } from '../../support/calls/dispatch.mts';
import {
	openListService,
	type ListedCall,
	type ListService,
} from '../../support/calls/list-service.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

// A list may write a call's number, time and load in its own way. What it leaves out proves nothing.

const dispatch = useDispatch();
let service: ListService;
beforeEach(async () => {
	service = await openListService(({ toPhone }, index) => {
		return { id: 5000 + index, toPhone, createdAt: new Date().toISOString() };
	});
});
afterEach(() => service.close());

const show = (...calls: ListedCall[]) => service.calls.push(...calls);

/** Skip If Called Within is on. */
async function guarded(one: Driver) {
	const { credentials } = service;
	const parameters = { rules: { skipIfCalledWithin: 10 }, options: { lookForLostAnswers: 0 } };
	return await dispatch.run(parameters, { items: [one], credentials });
}

/** The service breaks off the connection instead of answering. */
async function lost(one: Driver) {
	const { credentials } = service;
	service.loses = 'call';
	const parameters = { options: { lookForLostAnswers: 0 } };
	return await dispatch.run(parameters, { items: [one], credentials });
}

const listed = ({ e164, load }: Driver, more: object = {}) => ({
	...{ id: 77, toPhone: e164, loadIds: [load], createdAt: new Date().toISOString() },
	...more,
});

type Written = (one: Driver) => object;

const zoneless = (hours: number) =>
	new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, -1);
const national = (e164: string) => e164.slice(2);
const spaced = (e164: string) => `(${e164.slice(2, 5)}) ${e164.slice(5, 8)}-${e164.slice(8)}`;

/** The same call, as another service may write it. */
const same: Array<[string, Written]> = [
	['has its number in ten digits', ({ e164 }) => ({ toPhone: national(e164) })],
	['has its number in brackets and dashes', ({ e164 }) => ({ toPhone: spaced(e164) })],
	['has its number without the plus', ({ e164 }) => ({ toPhone: e164.slice(1) })],
	['has its number as a number', ({ e164 }) => ({ toPhone: Number(national(e164)) })],
	['has its number with 011 before it', ({ e164 }) => ({ toPhone: `011${e164.slice(1)}` })],
	['has its number as a tel link', ({ e164 }) => ({ toPhone: `tel:${e164}` })],
	['has its time in milliseconds', () => ({ createdAt: Date.now() })],
	['has its time in seconds', () => ({ createdAt: Math.floor(Date.now() / 1000) })],
	['has its time in seconds, as text', () => ({ createdAt: String(Date.now() / 1000) })],
	['has its time without a zone', () => ({ createdAt: zoneless(0) })],
	['has its load as a text', ({ load }) => ({ loadIds: load })],
	['has its loads as one text', ({ load }) => ({ loadIds: `other, ${load}` })],
	[
		'has its load in small letters, with spaces',
		({ load }) => ({ loadIds: [` ${load.toLowerCase()} `] }),
	],
	['has its load with a word before it', ({ load }) => ({ loadIds: [`Load ${load}`] })],
	['has its load with a sign before it', ({ load }) => ({ loadIds: [`Load # ${load}`] })],
];

/** It may be the same call: it is about the load, and something is missing. */
const unclear: Array<[string, Written]> = [
	['no time', () => ({ createdAt: null })],
	['a text instead of a time', () => ({ createdAt: 'just now' })],
	['a time without a zone, six hours ago', () => ({ createdAt: zoneless(-6) })],
	['a date without a time', () => ({ createdAt: zoneless(-24).slice(0, 10) })],
	['no number', () => ({ toPhone: undefined })],
	['a number that is hidden', () => ({ toPhone: '***' })],
	['a number whose end is hidden', ({ e164 }) => ({ toPhone: `${e164.slice(0, 8)}****` })],
	['a number with more digits after it', ({ e164 }) => ({ toPhone: `${e164},,204` })],
	['no ID', () => ({ id: undefined })],
	['a blank ID', () => ({ id: ' ' })],
	['the ID 0', () => ({ id: 0 })],
];

/** Another call. */
const other: Array<[string, Written]> = [
	['a number that ends alike', ({ e164 }) => ({ toPhone: `+44${national(e164)}` })],
	['a load that begins alike', ({ load }) => ({ loadIds: [`${load}0`] })],
	['another load, as a text', () => ({ loadIds: 'Load 5' })],
	['an old time in seconds', () => ({ createdAt: Math.floor(Date.now() / 1000) - 86_400 })],
	['no number, and another load', () => ({ toPhone: null, loadIds: ['other'] })],
];

describe('Skip If Called Within recognizes a listed call that', () => {
	it.each(same)('%s', async (_case, written) => {
		const one = driver();
		show(listed(one, written(one)));
		const { items } = await guarded(one);
		expect(items).toMatchObject([{ placement: 'skippedDuplicate', callId: 77 }]);
		expect(service.requested).toBe(0);
	});
});

it('Skip If Called Within does not rely on the service to find a load that is written differently', async () => {
	const one = driver();
	dispatch.sandbox.insert({ toPhone: one.e164, loadId: `Load #${one.load}` });
	const { items } = await dispatch.run({ rules: { skipIfCalledWithin: 10 } }, { items: [one] });
	expect(items).toMatchObject([{ placement: 'skippedDuplicate' }]);
	expect(dispatch.dialed()).toEqual([]);
});

it('Skip If Called Within finds the call in the list of a service whose clock is four minutes ahead', async () => {
	const one = driver();
	show(listed(one, { createdAt: new Date(Date.now() + 4 * 60_000).toISOString() }));
	expect((await guarded(one)).items).toMatchObject([{ placement: 'skippedDuplicate', callId: 77 }]);
	expect(service.requested).toBe(0);
});

describe('Skip If Called Within places no call, and says why, when a call about the load has', () => {
	it.each(unclear)('%s', async (_case, written) => {
		const one = driver();
		show(listed(one, written(one)));
		const { error } = await guarded(one);
		expect(error?.message).toMatch(/^No phone rang\. The check call to .* was not placed/);
		expect(error?.description).toMatch(/The call list shows .* about this load .* may be the same/);
		expect(service.requested).toBe(0);
	});
});

describe('Skip If Called Within places the call when the list shows a call with', () => {
	it.each([
		...other,
		['no load', () => ({ loadIds: [] })],
		['no load, and no time', () => ({ loadIds: null, createdAt: null })],
	] as typeof other)('%s', async (_case, written) => {
		const one = driver();
		show(listed(one, written(one)));
		const { items } = await guarded(one);
		expect(items).toMatchObject([{ placement: 'placed' }]);
	});
});

it('Skip If Called Within places a call though the list hides the number of another one about the load', async () => {
	const one = driver();
	const dispatcher = { ...driver(), load: one.load };
	await guarded(dispatcher);
	Object.assign(service.calls[0] ?? {}, { toPhone: null, loadIds: [one.load] });
	const { items } = await guarded(one);
	expect(items).toMatchObject([{ placement: 'placed', callId: 5001 }]);
});

describe('a call whose response was lost', () => {
	it.each(same)('is found when the listed call %s', async (_case, written) => {
		const one = driver();
		show(listed(one, written(one)));
		expect((await lost(one)).items).toMatchObject([{ placement: 'reconciled', callId: 77 }]);
	});

	it.each(unclear)('names the call that may be it if that has %s', async (_case, written) => {
		const one = driver();
		show(listed(one, written(one)));
		const { error } = await lost(one);
		expect(error?.message).toMatch(/^The phone may have rung\. .* may or may not have been placed/);
		expect(error?.description).toMatch(/The call list shows a call that could be it/);
	});

	it.each(other)('is not found in a call with %s', async (_case, written) => {
		const one = driver();
		show(listed(one, written(one)));
		const { error } = await lost(one);
		expect(error?.description).toMatch(/The call list shows no such call since/);
	});

	it('picks neither of two calls without an ID', async () => {
		const one = driver();
		const at = (ms: number) => new Date(Date.now() - ms).toISOString();
		show(...[1000, 2000].map((ms) => listed(one, { id: null, createdAt: at(ms) })));
		const { error } = await lost(one);
		expect(error?.description).toMatch(/several calls that could be it/);
	});
});

it('Skip If Called Within finds the call next to a record whose fields are objects', async () => {
	const one = driver();
	const odd = { toString: 1, valueOf: 1 };
	const fields = { id: odd, loadIds: [odd], contentTags: odd, status: odd, dotNumber: '7' };
	show(listed(one, fields), listed(one));
	expect((await guarded(one)).items).toMatchObject([{ placement: 'skippedDuplicate', callId: 77 }]);
});

it('Skip If Called Within tells two extensions apart, though the list leaves them out', async () => {
	const one = driver();
	const to = async (extension: string) =>
		(await guarded({ ...one, phone: `${one.phone} x${extension}` })).items[0];
	const placed = await to('7');
	service.calls.splice(0, 1, listed(one, { id: placed?.callId }));
	expect(await to('8')).toMatchObject({ placement: 'placed' });
	expect(await to('7')).toMatchObject({ placement: 'skippedDuplicate', callId: placed?.callId });
	expect(service.requested).toBe(2);
});
