import { isRecord, recordsIn, textIn } from '../../../../../playground/n8n/rest.mts';
import { check, Service } from './stand-in.mts';

export const SPREADSHEET = '1aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcdef';
export const GOOGLE_TOKEN = 'ya29.test-token-of-google';

/** A spreadsheet with one sheet, as version 4 of the Sheets API documents it. */
export function googleSheets(title = 'Calls'): { service: Service; rows: string[][] } {
	const rows: string[][] = [];
	const root = `/v4/spreadsheets/${SPREADSHEET}`;
	const put = (row: number, column: number, values: unknown) => {
		check(Array.isArray(values), 'values must be a list of rows');
		for (const [down, cells] of values.entries()) {
			check(Array.isArray(cells), 'a row must be a list of cells');
			const line = (rows[row + down] ??= []);
			for (const [right, cell] of cells.entries()) line[column + right] = asText(cell);
		}
	};
	const RANGE = new RegExp(`^${title}!([A-Z])(\\d+)$`);
	const service = new Service('sheets.googleapis.com', GOOGLE_TOKEN, errorOf, [
		[
			'GET',
			new RegExp(`^${root}$`),
			() => ({
				status: 200,
				body: { sheets: [{ properties: { sheetId: 0, title, index: 0 } }] },
			}),
		],
		[
			'GET',
			new RegExp(`^${root}/values/('?)${title}\\1(!A:Z)?$`),
			({ query }) => {
				check(/^(UN)?FORMATTED_VALUE$/.test(query.get('valueRenderOption') ?? ''), 'render option');
				return {
					status: 200,
					body: { range: `${title}!A1:Z1000`, ...(rows.length > 0 && { values: rows }) },
				};
			},
		],
		[
			'PUT',
			new RegExp(`^${root}/values/${title}!(\\d+):(\\d+)$`),
			({ body, query }, [row]) => {
				check(query.get('valueInputOption') === 'RAW', 'valueInputOption');
				put(Number(row) - 1, 0, body['values']);
				return { status: 200, body: { spreadsheetId: SPREADSHEET, updatedRows: 1 } };
			},
		],
		[
			'POST',
			new RegExp(`^${root}/values/${title}!\\d+:\\d+:append$`),
			({ body, query }) => {
				check(query.get('valueInputOption') === 'RAW', 'valueInputOption');
				put(rows.length, 0, body['values']);
				return { status: 200, body: { spreadsheetId: SPREADSHEET, updates: { updatedRows: 1 } } };
			},
		],
		[
			'POST',
			new RegExp(`^${root}/values:batchUpdate$`),
			({ body }) => {
				check(body['valueInputOption'] === 'RAW', 'valueInputOption');
				for (const part of recordsIn(body, 'data')) {
					const [, letter = '', row] = RANGE.exec(textIn(part, 'range')) ?? [];
					check(letter !== '', 'range');
					put(Number(row) - 1, letter.charCodeAt(0) - 65, part['values']);
				}
				return { status: 200, body: { spreadsheetId: SPREADSHEET } };
			},
		],
	]);
	return { service, rows };
}

function asText(cell: unknown): string {
	check(!isRecord(cell) && !Array.isArray(cell), 'a cell must be text, a number, true or false');
	return typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell ?? '');
}

function errorOf(status: number, message: string) {
	const names: Record<number, string> = { 401: 'UNAUTHENTICATED', 404: 'NOT_FOUND' };
	return {
		status,
		body: { error: { code: status, message, status: names[status] ?? 'UNAVAILABLE' } },
	};
}
