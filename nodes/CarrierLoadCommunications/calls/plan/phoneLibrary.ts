/**
 * The parts of libphonenumber-js in use; the build bundles the library into this file
 * (gulpfile.js). Uses its full metadata: without it, premium-rate numbers of most countries can't
 * be recognized.
 */
export {
	isSupportedCountry,
	parsePhoneNumberFromString,
	validatePhoneNumberLength,
} from 'libphonenumber-js/max';
