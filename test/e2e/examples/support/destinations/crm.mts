import {
	isRecord,
	type JsonObject,
	recordsIn,
	textIn,
} from '../../../../../playground/n8n/rest.mts';
import { check, Service } from './stand-in.mts';

export const HUBSPOT_TOKEN = 'pat-na1-test-token-of-hubspot';

/** A contact with the phone number +1 815 555 0142, and logged calls, as HubSpot documents them. */
export function hubspot() {
	const calls: JsonObject[] = [];
	const service = new Service(
		'api.hubapi.com',
		HUBSPOT_TOKEN,
		(status, message) => ({ status, body: { status: 'error', message, category: 'ERROR' } }),
		[
			[
				'POST',
				/^\/crm\/v3\/objects\/contacts\/search$/,
				({ body }) => {
					const [group] = recordsIn(body, 'filterGroups');
					const [filter] = recordsIn(group, 'filters');
					check(
						Object.keys(filter ?? {})
							.sort()
							.join() === 'operator,propertyName,value',
						'filter',
					);
					check(
						textIn(filter, 'propertyName') === 'hs_searchable_calculated_phone_number',
						'propertyName',
					);
					const found = textIn(filter, 'value') === '8155550142';
					const results = found ? [{ id: '501', properties: { firstname: 'Luis' } }] : [];
					return { status: 200, body: { total: results.length, results } };
				},
			],
			[
				'POST',
				/^\/engagements\/v1\/engagements$/,
				({ body }) => {
					check(textIn(body['engagement'], 'type') === 'CALL', 'engagement.type');
					check(isRecord(body['metadata']) && isRecord(body['associations']), 'metadata');
					calls.push(body);
					return {
						status: 200,
						body: { ...body, engagement: { id: 9000 + calls.length, type: 'CALL' } },
					};
				},
			],
		],
	);
	return { service, calls };
}
