import { choice, flag, wholeNumber, text } from '../../../shared/fields/simpleFields';
import { convert, optional } from '../../../shared/fields/field';
import { readTriggerAnswer } from '../../calls/place';
import { callOperation } from '../../operations/callOperation';

/** Contract 4.5. */
export const placeCheckCall = callOperation({
	name: 'Place Check Call',
	value: 'triggerCheckCall',
	action: 'Place a check call',
	description:
		'Calls a real phone. A voice agent asks a driver or dispatcher about the next stop of a load.',
	kind: 'checkCall',
	takesMetadata: true,
	fields: {
		loadNumber: text({
			label: 'Load Number',
			required: true,
			example: '48213',
			about: 'Load number the agent refers to on the call',
		}),
		nextStopIndex: wholeNumber({
			label: 'Next Stop Index',
			required: true,
			min: 0,
			example: '1',
			about: "Next stop in the load's stop sequence, counted from 0 (the pickup)",
			editor: {
				builderHint: {
					propertyHint:
						'Counted from 0. Map it from the TMS; if its stops are counted from 1, subtract 1.',
				},
			},
		}),
		driverName: text({
			label: 'Driver Name',
			example: 'Luis Ortega',
			about: 'Name of the driver, to personalize the call',
		}),
		contactType: convert(
			choice({
				label: 'Contact Type',
				choices: [
					{ name: 'Not Specified', value: '' },
					{ name: 'Driver', value: 'driver' },
					{ name: 'Dispatcher', value: 'dispatcher' },
				],
				default: '',
				about: 'Role of the person called',
			}),
			(type) => type || undefined,
		),
		askForTrackingApp: optional(
			text({
				label: 'Ask for Tracking App',
				example: '{{ $json.trackingApp }}',
				about: 'Name of the tracking app the agent asks the driver to enable, one lowercase word',
				// The contract (4.5) names no values, only that each is an app's lowercase name.
				check: (app) =>
					/^[a-z0-9][a-z0-9_.-]*$/.test(app) ? undefined : 'must be one word in lowercase',
			}),
		),
		contactName: optional(
			text({
				label: 'Contact Name',
				example: 'Dana Whitfield',
				about: 'Name of the person called',
			}),
		),
		waitingAtFacility: optional(
			flag({
				label: 'Waiting at Facility',
				about: 'Whether the driver is already at the facility; the agent then skips ETA questions',
			}),
		),
	},
	about: ({ loadNumber, nextStopIndex }) => ({ subject: { loadNumber, nextStopIndex } }),
	body: (values) => values,
	readAnswer: readTriggerAnswer,
});
