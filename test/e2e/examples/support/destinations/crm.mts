import {
	isRecord,
	type JsonObject,
	recordsIn,
	textIn,
} from '../../../../../playground/n8n/rest.mts';
import { check, Service } from './stand-in.mts';

export const HUBSPOT_TOKEN = 'pat-na1-test-token-of-hubspot';
export const SALESFORCE_TOKEN = '00D-test-token-of-salesforce';
export const SALESFORCE_HOST = 'brokerage.my.salesforce.com';

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

/** The records of a custom object by their external ID, as Salesforce documents the upsert. */
export function salesforce() {
	const records = new Map<string, JsonObject>();
	const service = new Service(
		SALESFORCE_HOST,
		SALESFORCE_TOKEN,
		(status, message) => ({ status, body: [{ message, errorCode: 'SERVER_UNAVAILABLE' }] }),
		[
			[
				'PATCH',
				/^\/services\/data\/v\d+\.0\/sobjects\/Voice_Call__c\/Call_ID__c\/([^/]+)$/,
				({ body }, [id = '']) => {
					check(!('Call_ID__c' in body), 'the external ID must not be in the body');
					check(!Object.values(body).includes(null), 'null erases a field');
					const isNew = !records.has(id);
					records.set(id, { ...records.get(id), ...body });
					const answer = { id: `a00${id}`, success: true, errors: [], created: isNew };
					return { status: isNew ? 201 : 200, body: answer };
				},
			],
		],
	);
	return { service, records };
}
