import { exampleWorkflows } from '../../../playground/demo/examples.mts';
import { FACTS, type LabeledEvent, labeledEvents } from './support/labeled-events.mts';
import { ODD_EVENTS } from './support/odd-events.mts';
import { columnNodes, outcomesOf } from './support/outcome-columns.mts';

const EXAMPLE = 'callOutcomeToTable';
const ALL = [...labeledEvents(200 - ODD_EVENTS.length, 48213), ...ODD_EVENTS];

/** Each fact of each event: what was said, and what the column has. */
const cells = (events: LabeledEvent[]) =>
	events.flatMap(({ body, facts }) => {
		const [columns] = outcomesOf(body, EXAMPLE);
		return FACTS.map((fact) => ({ fact, body, said: facts[fact], read: columns?.[fact] }));
	});

describe('the columns of 200 labeled calls', () => {
	const seen = cells(ALL);
	const said = seen.filter((cell) => cell.said !== undefined);

	it('are right in 95 of 100 cells where the call said something', () => {
		const right = said.filter((cell) => cell.read === cell.said);
		expect(ALL).toHaveLength(200);
		expect(said.length).toBeGreaterThan(500);
		expect(right.length / said.length).toBeGreaterThanOrEqual(0.95);
	});

	it('hold nothing that was not said', () => {
		const invented = seen.filter(({ said: fact, read }) => read !== null && read !== fact);
		expect(invented).toEqual([]);
	});
});

describe('an outcome', () => {
	it('has its load from the event, or from the metadata or variables of its call', () => {
		const load = (event: object) => outcomesOf({ callId: 7, ...event }, EXAMPLE)[0]?.['loadNumber'];
		expect(load({ loadNumber: 48213 })).toBe('48213');
		expect(load({ metadata: { loadNumber: '48213' } })).toBe('48213');
		expect(load({ inputData: { metadata: { loadId: 'L-7', dotNumber: 2 } } })).toBe('L-7');
		expect(load({ inputData: { dynamicVariables: { load_number: 'L-8' } } })).toBe('L-8');
		expect(load({ metadata: { shipment: '1' } })).toBeNull();
	});

	it('has its own key if its event names no call', () => {
		const bids = { events: [{ event: 'bid_created' }, { event: 'bid_created', id: 'evt_1' }] };
		const keys = outcomesOf(bids, EXAMPLE).map(({ callId }) => callId);
		expect(new Set(keys).size).toBe(2);
		expect(keys.join()).toMatch(/^event .+,event /);
	});
});

it('every example that saves outcomes makes its columns in the same way', () => {
	const ids = exampleWorkflows()
		.filter(({ nodes }) => nodes.some(({ name }) => name === 'Outcome columns'))
		.map(({ id }) => id);
	expect(ids.length).toBeGreaterThan(7);
	for (const id of ids) expect(columnNodes(id)).toEqual(columnNodes(EXAMPLE));
});
