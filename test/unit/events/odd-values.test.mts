import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { timeOf } from '../../../nodes/shared/service/record.ts';
import { simplifiedEvent } from '../../../nodes/CarrierLoadCommunicationsTrigger/deliver.ts';
import { readEvents } from '../../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';
import { simplify } from '../../../nodes/shared/columns/columns.ts';
import { COLUMN_NAMES } from '../../../nodes/shared/columns/columnNames.ts';
import { callStage, hasEnded } from '../../../nodes/shared/outcome/callOutcome.ts';

// One record whose fields have other types than the contract says must not stop a list, a poll or an
// event: the records around it would be lost.

const names = [...COLUMN_NAMES, 'id', 'loadIds', 'loads', 'data', 'call', 'team', 'carrierDot'];
const scalars = fc.constantFrom(null, '', 'x', 7, true, '2026-11-15T00:00:00.000Z', 'completed');
// Any of these in a text or a comparison throws unless its type is checked first.
const objects = fc.constantFrom({ toString: 'x', team: 1 }, [{ toString: 'x' }], [[]], [null], {});
const record = fc.dictionary(
	fc.constantFrom(...names),
	fc.oneof(
		scalars,
		objects,
		fc.dictionary(fc.constantFrom(...names), fc.oneof(scalars, objects), { maxKeys: 4 }),
	),
	{ maxKeys: 8 },
) as fc.Arbitrary<IDataObject>;

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const flatten = simplify(COLUMN_NAMES, 'callId', true);

it('a record with any values is one flat row of text, numbers, true and false', () => {
	const property = fc.property(record, (given) => {
		const events = readEvents(given, '2026-11-22T08:00:00.000Z');
		const rows = Array.isArray(events) ? events.map((event) => simplifiedEvent(event, 'UTC')) : [];
		const values = [flatten(given), ...rows].flatMap((row) => Object.values(row));
		const odd = values.filter(
			(value) => isObject(value) || String(value).includes('[object Object]'),
		);
		expect([odd, typeof hasEnded(given), typeof callStage(given)]).toEqual([
			[],
			'boolean',
			'string',
		]);
		expect(['number', 'undefined']).toContain(typeof timeOf(given)?.ms);
	});
	fc.assert(property, { numRuns: 3000, seed: 48213 });
});
