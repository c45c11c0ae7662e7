import { optional, readAs, withoutValue } from '../../shared/fields/field';
import { choice, flag, text } from '../../shared/fields/simpleFields';

const names = new Intl.DisplayNames(['en'], { type: 'region' });

export function countryName(code: string): string {
	return names.of(code) ?? code;
}

export const COUNTRIES = `AR AT AU BE BG BR CA CL CO CR CZ DE DO ES FR GB GT HN HU IE IN IT
	LT MX NI NL NZ PA PH PL PR PT RO RS SK SV TR UA US ZA`
	.split(/\s+/)
	.map((value) => ({ name: countryName(value), value }))
	.sort((one, other) => one.name.localeCompare(other.name, 'en'));

export const toPhone = text({
	label: 'To Phone',
	required: true,
	example: '(312) 555-0188 x204',
	about:
		'Phone number to call, in any common format. Numbers outside the default country must start with + and the country code.',
	maxLength: 100,
	editor: {
		builderHint: {
			propertyHint:
				'The phone that rings. Map it from the input; never invent a number or take one from free text.',
		},
	},
});

export const extensionText = text({
	label: 'Extension',
	example: '204',
	about: "Extension to dial, if it isn't already in the phone number",
});

/** Sent as a part of the phone number, with which it is read. */
export const extension = optional(withoutValue(extensionText));

export const phoneOptions = {
	/** Expressions may name any country; the numbering plans tell whether it exists. */
	defaultCountry: readAs(
		choice({
			label: 'Default Country',
			choices: COUNTRIES,
			default: 'US',
			about: 'Country of phone numbers without a country code',
		}),
		text({ label: 'Default Country', default: 'US' }),
	),
	sendPhoneAsIs: flag({
		label: 'Send Phone Number as Typed',
		default: false,
		about:
			'Whether to send the number without checking it against the numbering plans. It must then look like +13125550188 or +13125550188;ext=204.',
	}),
};
