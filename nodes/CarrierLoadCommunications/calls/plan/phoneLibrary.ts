/** What is needed of libphonenumber-js. The build takes the library into this file (gulpfile.js). */
export {
	isSupportedCountry,
	parsePhoneNumberFromString,
	validatePhoneNumberLength,
} from 'libphonenumber-js/min';
