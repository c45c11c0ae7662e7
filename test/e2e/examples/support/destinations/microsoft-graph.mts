import type { JsonObject } from '../../../../../playground/n8n/rest.mts';
import { check, Service } from './stand-in.mts';

export const GRAPH_TOKEN = 'EwB4-test-token-of-microsoft';
export const WORKBOOK = '01A2B3C4D5E6F7G8H9I0J1K2L3M4N5O6P7';
export const WORKSHEET = '{00000000-0001-0000-0000-000000000000}';
export const TABLE = '{21EAB2B0-DD1A-4E5B-9931-1C4D8A0D7A31}';

const COLUMNS = ['callId', 'loadNumber', 'phone', 'eta', 'delayed', 'delayReason', 'offeredRate'];

/** An Excel table, as Microsoft Graph documents them. */
export function microsoftGraph() {
	const rows: JsonObject[] = [];
	const sessions = new Set<unknown>();
	const workbook = `/v1\\.0/me/drive/items/${WORKBOOK}/workbook`;
	const table = `${workbook}/worksheets/${escaped(WORKSHEET)}/tables/${escaped(TABLE)}`;
	const service = new Service('graph.microsoft.com', GRAPH_TOKEN, errorOf, [
		[
			'GET',
			new RegExp(`^${table}/columns$`),
			() => ({
				status: 200,
				body: { value: COLUMNS.map((name, index) => ({ id: String(index + 1), index, name })) },
			}),
		],
		[
			'POST',
			new RegExp(`^${workbook}/createSession$`),
			({ body }) => {
				check(body['persistChanges'] === true, 'persistChanges');
				const id = `session-${sessions.size + 1}`;
				sessions.add(id);
				return { status: 201, body: { id, persistChanges: true } };
			},
		],
		[
			'POST',
			new RegExp(`^${table}/rows/add$`),
			({ body, headers }) => {
				check(sessions.has(headers['workbook-session-id']), 'workbook-session-id');
				const values: unknown = body['values'];
				check(Array.isArray(values) && values.length > 0, 'values must be a list of rows');
				for (const cells of values) {
					check(Array.isArray(cells) && cells.length === COLUMNS.length, 'one value per column');
					for (const cell of cells) {
						check(!/^[=+@-]/.test(String(cell)), `Excel would read ${String(cell)} as a formula`);
					}
					rows.push(Object.fromEntries(COLUMNS.map((name, at) => [name, cells[at]])));
				}
				return { status: 201, body: { index: rows.length - 1, values } };
			},
		],
		[
			'POST',
			new RegExp(`^${workbook}/closeSession$`),
			({ headers }) => {
				check(sessions.has(headers['workbook-session-id']), 'workbook-session-id');
				return { status: 204 };
			},
		],
	]);
	return { service, rows };
}

const escaped = (text: string) => text.replace(/[{}]/g, '\\$&');

function errorOf(status: number, message: string) {
	const code = status === 401 ? 'InvalidAuthenticationToken' : 'serviceNotAvailable';
	return { status, body: { error: { code, message } } };
}
