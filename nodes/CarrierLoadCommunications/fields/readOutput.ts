import { simplify, withLocalTime, type ShapeRow } from '../../shared/columns/columns';
import type { RecordFields } from '../../shared/columns/records';
import { withoutResumeUrl } from '../../shared/events/resumeUrl';
import type { Field } from '../../shared/fields/fieldTypes';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import type { Parameters } from '../../shared/fields/parameters';
import type { MoreNames } from '../../shared/outcome/outcomeRecord';
import { isJsonObject } from '../../shared/service/json';
import { callOutcome, withoutLongTexts, NOT_FOR_AGENTS, pick } from './outputLevels';

type Level = 'simplified' | 'all' | 'outcome' | 'selected';

/** The chosen output, and how it converts a row to an item's JSON. */
export interface Output {
	level: Level;
	selected: string[];
	moreNames: MoreNames;
	shape: ShapeRow;
}

interface OutputFields {
	output: Field<Level>;
	moreNames?: Field<MoreNames>;
	selectedFields: Field<string[]>;
}

/** @param known the fields that can be selected */
export function readOutput(
	{ output, moreNames, selectedFields }: OutputFields,
	rowFields: RecordFields,
	known: readonly string[],
) {
	return (parameters: Parameters): Output => {
		const level = output.read(parameters, 'output');
		const selected = level === 'selected' ? selectedFields.read(parameters, 'selectedFields') : [];
		// All operations store their fields under one name, so another one's may be left.
		const isGiven = parameters.isExpression('selectedFields');
		const own = selected.filter((name) => isGiven || known.includes(name));
		if (level === 'selected' && own.length === 0) {
			const problem = 'needs at least one field when Output is Selected Fields';
			throw new InvalidParameter('Fields', problem);
		}
		const names = level === 'outcome' ? moreNames?.read(parameters, 'moreNames') : undefined;
		const chosen = { level, selected: own, moreNames: names ?? {} };
		const shape = shapeFor(rowFields, chosen, parameters.timezone, parameters.forAgent);
		return { ...chosen, shape };
	};
}

/** How a row becomes an item's JSON. @param zone the workflow's time zone */
export function shapeFor(
	rowFields: RecordFields,
	{ level, selected, moreNames: names }: Omit<Output, 'shape'>,
	zone: string,
	forAgent = false,
): ShapeRow {
	const { idName, keepUnknown } = rowFields;
	if (level === 'outcome') return safely((row) => callOutcome(row, names));
	if (level === 'all') return safely((row) => (forAgent ? withoutLongTexts(row) : row));
	const kept = rowFields.simplified.filter((name) => !(forAgent && NOT_FOR_AGENTS.has(name)));
	const shape = level === 'selected' ? pick(selected, idName) : simplify(kept, idName, keepUnknown);
	return safely((row) => shape(withLocalTime(row, zone)));
}

/** No resume URL, and no `error` key, with which n8n treats the item as failed (n8n-core 2.41). */
function safely(shape: ShapeRow): ShapeRow {
	return (row) => {
		// Lists are long: only rows that may echo a call's metadata are searched.
		const mayRepeat = 'metadata' in row || Object.values(row).some(isJsonObject);
		const shaped = shape(mayRepeat ? withoutResumeUrl(row) : row);
		if (!('error' in shaped)) return shaped;
		const { error, ...others } = shaped;
		return { serviceError: error, ...others };
	};
}
