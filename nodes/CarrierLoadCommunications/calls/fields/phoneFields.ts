import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Parameters } from '../../../shared/fields/parameters';
import { readPhoneNumber } from '../plan/phoneNumber';

const DEFAULT_COUNTRY = 'US';

const COUNTRIES: INodePropertyOptions[] = [
	{ name: 'Argentina', value: 'AR' },
	{ name: 'Australia', value: 'AU' },
	{ name: 'Austria', value: 'AT' },
	{ name: 'Belgium', value: 'BE' },
	{ name: 'Brazil', value: 'BR' },
	{ name: 'Bulgaria', value: 'BG' },
	{ name: 'Canada', value: 'CA' },
	{ name: 'Chile', value: 'CL' },
	{ name: 'Colombia', value: 'CO' },
	{ name: 'Costa Rica', value: 'CR' },
	{ name: 'Czechia', value: 'CZ' },
	{ name: 'Dominican Republic', value: 'DO' },
	{ name: 'El Salvador', value: 'SV' },
	{ name: 'France', value: 'FR' },
	{ name: 'Germany', value: 'DE' },
	{ name: 'Guatemala', value: 'GT' },
	{ name: 'Honduras', value: 'HN' },
	{ name: 'Hungary', value: 'HU' },
	{ name: 'India', value: 'IN' },
	{ name: 'Ireland', value: 'IE' },
	{ name: 'Italy', value: 'IT' },
	{ name: 'Lithuania', value: 'LT' },
	{ name: 'Mexico', value: 'MX' },
	{ name: 'Netherlands', value: 'NL' },
	{ name: 'New Zealand', value: 'NZ' },
	{ name: 'Nicaragua', value: 'NI' },
	{ name: 'Panama', value: 'PA' },
	{ name: 'Philippines', value: 'PH' },
	{ name: 'Poland', value: 'PL' },
	{ name: 'Portugal', value: 'PT' },
	{ name: 'Puerto Rico', value: 'PR' },
	{ name: 'Romania', value: 'RO' },
	{ name: 'Serbia', value: 'RS' },
	{ name: 'Slovakia', value: 'SK' },
	{ name: 'South Africa', value: 'ZA' },
	{ name: 'Spain', value: 'ES' },
	{ name: 'Turkey', value: 'TR' },
	{ name: 'Ukraine', value: 'UA' },
	{ name: 'United Kingdom', value: 'GB' },
	{ name: 'United States', value: 'US' },
];

/** The number to call, shown first in each of the three operations. */
export const phoneFields: INodeProperties[] = [
	{
		displayName: 'To Phone',
		name: 'toPhone',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. (312) 555-0188 x204',
		description:
			'Phone number that will ring. Written in any usual way; start with + and the country code when it is not in the default country.',
	},
	{
		displayName: 'Extension',
		name: 'extension',
		type: 'string',
		default: '',
		placeholder: 'e.g. 204',
		description: 'Extension to dial, when it does not stand in the phone number',
	},
];

/** Entries of the Options collection that concern the number. */
export const phoneOptions: INodeProperties[] = [
	{
		displayName: 'Default Country',
		name: 'defaultCountry',
		type: 'options',
		options: COUNTRIES,
		default: DEFAULT_COUNTRY,
		description: 'Country of the phone numbers that are written without a country code',
	},
	{
		displayName: 'Send Phone Number as It Is',
		name: 'sendPhoneAsIs',
		type: 'boolean',
		default: false,
		description:
			'Whether to send the number without looking it up in the numbering plans. It must then be written like +13125550188 or +13125550188;ext=204.',
	},
];

/** The number in the contract's form (contract 4.5). @throws InvalidParameter that says why not */
export function readToPhone(parameters: Parameters): string {
	const country = parameters.optionalText({
		name: 'options.defaultCountry',
		displayName: 'Default Country',
	});
	return readPhoneNumber({
		text: parameters.text({ name: 'toPhone', displayName: 'To Phone', maxLength: 100 }),
		extension: parameters.optionalText({ name: 'extension', displayName: 'Extension' }),
		defaultCountry: (country ?? DEFAULT_COUNTRY).toUpperCase(),
		asIs: parameters.flag({
			name: 'options.sendPhoneAsIs',
			displayName: 'Send Phone Number as It Is',
		}),
	});
}
