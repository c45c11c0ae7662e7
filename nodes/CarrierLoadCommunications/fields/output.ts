import { moreNames, OUTCOME, recordOutput, type RecordFields } from '../../shared/columns/records';
import { propertiesOf } from '../../shared/fields/field';
import type { Field } from '../../shared/fields/fieldTypes';
import { choices } from '../../shared/fields/simpleFields';
import { inOrder } from '../../shared/columns/columnNames';
import { readOutput, type Output } from './readOutput';

const SELECTED = {
	name: 'Selected Fields',
	value: 'selected',
	description: 'Only the fields you choose',
} as const;

/**
 * "Output" and, for Selected Fields, the list of fields. All Fields also returns fields unknown to
 * this package. Agents get the transcript only if Selected Fields names it.
 */
export function output(
	{ simplified, ...others }: RecordFields,
	about?: { simplified?: string; all?: string },
): Field<Output> {
	const columns = { ...others, simplified: others.hasOwnOrder ? simplified : inOrder(simplified) };
	const known = [...columns.simplified, ...columns.more];
	const declared = {
		output: recordOutput<'outcome' | 'selected'>(about, 'simplified', [
			...(columns.areCalls ? [OUTCOME] : []),
			SELECTED,
		]),
		...(columns.areCalls && { moreNames }),
		selectedFields: choices({
			label: 'Fields',
			choices: known.map((value) => ({ name: humanName(value), value, ...EXPLAINED[value] })),
			required: true,
			show: { output: ['selected'] },
			about: 'Which fields to return',
		}),
	};
	return { properties: () => propertiesOf(declared), read: readOutput(declared, columns, known) };
}

const HW = 'As the service sends it. It does not say what HW stands for.';

/** Fields whose name doesn't say enough, or that the contract doesn't explain. */
const EXPLAINED: Record<string, { name?: string; description?: string }> = {
	averageCallDuration: {
		name: 'Average Call Duration (Unit Not Documented)',
		description: 'The number as the service sends it',
	},
	avgRate: { name: 'Average Rate' },
	callerExt: { name: 'Caller Extension' },
	carrierHwConnectionStatus: { description: HW },
	carrierHwRulesAssessment: { description: HW },
	fleetsize: { name: 'Fleet Size' },
	placement: { name: 'Call Result', description: 'For conditions, such as placed or outsideHours' },
	placementReason: { name: 'Reason of the Call Result', description: 'Why, in words' },
	result: { name: 'Result in Words', description: 'Such as "Called: reached"' },
};

/** "mcNumber" -> "MC Number", for the lists of fields. */
function humanName(field: string): string {
	const words = field.charAt(0).toUpperCase() + field.slice(1).replace(/([A-Z])/g, ' $1');
	return words.replace(/\b(?:Dot|Eta|Hw|Id|Mc|Url)(?=s?\b)/g, (short) => short.toUpperCase());
}
