const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** A country's English name, from its ISO 3166 code. */
export function countryName(code: string): string {
	return names.of(code) ?? code;
}

export const COUNTRIES = `AR AT AU BE BG BR CA CL CO CR CZ DE DO ES FR GB GT HN HU IE IN IT
	LT MX NI NL NZ PA PH PL PR PT RO RS SK SV TR UA US ZA`
	.split(/\s+/)
	.map((value) => ({ name: countryName(value), value }))
	.sort((one, other) => one.name.localeCompare(other.name, 'en'));
