/**
 * What is needed of libphonenumber-js, which the build takes into this file (gulpfile.js). With its
 * whole metadata: without it, only a few countries' premium-rate numbers can be told from others.
 */
export {
	isSupportedCountry,
	parsePhoneNumberFromString,
	validatePhoneNumberLength,
} from 'libphonenumber-js/max';
