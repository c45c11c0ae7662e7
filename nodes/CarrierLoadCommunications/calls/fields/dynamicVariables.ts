import { convert } from '../../../shared/fields/field';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { refuseRounded } from '../../../shared/fields/number';
import { pairs, UNSENDABLE } from './pairs';

const label = 'Dynamic Variables';

/** One item's variables, of any JSON type (contract 4.8); undefined if there are none. */
export const dynamicVariables = convert(
	pairs({
		label,
		about: "Values for the variables in the agent's prompt",
		example: ['driver_name', 'Luis Ortega'],
		anyJson: true,
	}),
	(read): Record<string, unknown> | undefined => {
		const sent = [...read].filter(([, value]) => value !== undefined);
		if (sent.length === 0) return undefined;
		return Object.fromEntries(sent.map(([key, value]) => [key, asJson(key, value)]));
	},
);

/** @throws InvalidParameter that names the key of a value that JSON can't represent */
function asJson(key: string, value: unknown): unknown {
	const refuse = () => new InvalidParameter(label, `"${key}" cannot be sent as JSON`);
	let text: string | undefined;
	try {
		text = JSON.stringify(value, (name, part: unknown) => {
			if (name === UNSENDABLE) throw refuse();
			refuseRounded(part, label, `"${key}"`);
			if (typeof part === 'number' && !Number.isFinite(part)) throw refuse();
			return part;
		});
	} catch (error) {
		throw error instanceof InvalidParameter ? error : refuse();
	}
	if (text === undefined) throw refuse();
	return JSON.parse(text);
}
