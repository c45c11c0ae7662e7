// The build bundles the library into this file (gulpfile.js). Without its full metadata, premium-rate
// numbers of most countries can't be recognized.
export {
	isSupportedCountry,
	parsePhoneNumberFromString,
	validatePhoneNumberLength,
} from 'libphonenumber-js/max';
