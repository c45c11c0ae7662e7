import { optional } from '../../../shared/fields/field';
import { wholeNumber, text } from '../../../shared/fields/simpleFields';
import { extension } from '../../calls/phoneFields';
import { readTriggerAnswer } from '../../calls/callAnswer';
import { callOperation } from '../../operations/callOperation';

/** Contract 4.6. */
export const placeCarrierSalesCall = callOperation({
	name: 'Place Carrier Sales Call',
	value: 'triggerCarrierSalesCall',
	action: 'Place a carrier sales call',
	description: 'Calls a real phone. A voice agent offers a load to a carrier.',
	kind: 'carrierSalesCall',
	takesMetadata: true,
	fields: {
		loadId: text({
			label: 'Load ID',
			required: true,
			example: '48213',
			about: 'Your ID for the load',
		}),
		dotNumber: wholeNumber({
			label: 'DOT Number',
			required: true,
			min: 1,
			example: '1234567',
			// As people write it: USDOT 1234567, DOT# 1234567.
			prefix: /^(?:US\s?)?DOT(?:\s*(?:number|no\.?))?[\s#:.-]*(?=\d)/i,
			about: "The carrier's DOT number. The service uses it to prevent duplicate outreach.",
		}),
		extension,
		contactName: optional(
			text({
				label: 'Contact Name',
				example: 'Dana Whitfield',
				about: 'Name of the person at the carrier, to personalize the call',
			}),
		),
	},
	about: ({ loadId, dotNumber, contactName }) => ({
		subject: { loadId, dotNumber },
		contact: contactName,
	}),
	body: (values) => values,
	readAnswer: readTriggerAnswer,
});
