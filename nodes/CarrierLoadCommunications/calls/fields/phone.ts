import { choice, flag } from '../../../shared/fields/choice';
import type { Parameters } from '../../../shared/fields/parameters';
import { text } from '../../../shared/fields/text';
import { readPhoneNumber } from '../plan/phoneNumber';
import { COUNTRIES } from './countries';

export const toPhone = text({
	label: 'To Phone',
	required: true,
	example: '(312) 555-0188 x204',
	about:
		'Phone number to call, in any common format. Numbers outside the default country must start with + and the country code.',
	maxLength: 100,
});

export const extension = text({
	label: 'Extension',
	example: '204',
	about: "Extension to dial, if it isn't already in the phone number",
});

export const phoneOptions = {
	defaultCountry: {
		...choice({
			label: 'Default Country',
			choices: COUNTRIES,
			default: 'US',
			about: 'Country of phone numbers without a country code',
		}),
		// Expressions may name any country; the numbering plans tell whether it exists.
		read: (parameters: Parameters, name: string) =>
			text({ label: 'Default Country', default: 'US' }).read(parameters, name).toUpperCase(),
	},
	sendPhoneAsIs: flag({
		label: 'Send Phone Number as Typed',
		default: false,
		about:
			'Whether to send the number without checking it against the numbering plans. It must then look like +13125550188 or +13125550188;ext=204.',
	}),
};

/** The number in the contract's format (4.5). @throws InvalidParameter if it can't be called */
export function readToPhone(parameters: Parameters): { toPhone: string; asIs: boolean } {
	const asIs = phoneOptions.sendPhoneAsIs.read(parameters, 'options.sendPhoneAsIs');
	const read = readPhoneNumber({
		text: toPhone.read(parameters, 'toPhone'),
		extension: extension.read(parameters, 'extension'),
		defaultCountry: phoneOptions.defaultCountry.read(parameters, 'options.defaultCountry'),
		asIs,
	});
	return { toPhone: read, asIs };
}
