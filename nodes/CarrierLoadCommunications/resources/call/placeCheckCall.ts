import { convert, optional } from '../../../shared/fields/field';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { choice, flag, text } from '../../../shared/fields/simpleFields';
import { extension } from '../../calls/phoneFields';
import { readTriggerAnswer } from '../../calls/callAnswer';
import { callOperation } from '../../operations/callOperation';

const NEXT_STOP = 'Next Stop';

/** The service counts stops from 0 (contract 4.5); people write a stop's number or "Pickup". */
const nextStopIndex = convert(
	text({
		label: NEXT_STOP,
		required: true,
		example: '1',
		about: 'The stop that the call is about: a number, "Pickup", or "Stop 1"',
		hint: '0 = pickup, 1 = the stop after it. If your TMS counts stops from 1, subtract 1.',
		editor: {
			builderHint: {
				propertyHint:
					'Counted from 0. Map it from the TMS; if its stops are counted from 1, subtract 1.',
			},
		},
	}),
	readStop,
);

/** @throws InvalidParameter */
function readStop(written: string): number {
	if (/^pick-?\s?up$/i.test(written)) return 0;
	const [, digits] = /^(?:stop\s{0,3}#?)?(\d{1,9})(?:\.0+)?$/i.exec(written) ?? [];
	if (digits !== undefined) return Number(digits);
	const problem = 'must be 0 or more, "Pickup", or a stop such as "Stop 1"';
	throw new InvalidParameter(NEXT_STOP, problem, written);
}

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
		nextStopIndex,
		driverName: text({
			label: 'Driver Name',
			example: 'Luis Ortega',
			about: 'Name of the driver, to personalize the call',
		}),
		extension,
		contactType: optional(
			choice({
				label: 'Contact Type',
				choices: [
					{ name: 'Driver', value: 'driver' },
					{ name: 'Dispatcher', value: 'dispatcher' },
				],
				prefill: 'driver',
				about: 'Role of the person called',
			}),
		),
		askForTrackingApp: optional(
			text({
				label: 'Ask for Tracking App',
				example: '{{ $json.trackingApp }}',
				about:
					'Name of the tracking app the agent asks the driver to enable, in lowercase. The service operator knows the names.',
				// The contract (4.5) names no values, only that each is an app's lowercase name.
				check: (app) =>
					/^[a-z0-9][a-z0-9_.-]*$/.test(app) ? undefined : 'must be one word in lowercase',
			}),
		),
		contactName: optional(
			text({ label: 'Contact Name', example: 'Dana Whitfield', about: 'Name of the contact' }),
		),
		waitingAtFacility: optional(
			flag({
				label: 'Waiting at Facility',
				about: 'Whether the driver is already at the facility; the agent then skips ETA questions',
			}),
		),
	},
	about: ({ loadNumber, nextStopIndex, driverName, contactName }) => ({
		subject: { loadNumber, nextStopIndex },
		contact: contactName ?? driverName,
	}),
	body: (values) => values,
	readAnswer: readTriggerAnswer,
});
