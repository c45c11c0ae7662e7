import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isRecord, type JsonObject, recordsIn } from '../../../../playground/n8n/rest.mts';
import { n8nFolder } from '../../../../playground/setup/paths.mts';

interface Workbook {
	Sheets: Record<string, unknown>;
}

/** The parts in use of the library that n8n's own spreadsheet nodes bring. */
interface SpreadsheetLibrary {
	read(content: Buffer): Workbook;
	write(workbook: unknown, options: { type: 'buffer'; bookType: 'xlsx' }): Buffer;
	utils: {
		sheet_to_json(sheet: unknown, options: { defval: null }): unknown;
		json_to_sheet(rows: object[]): unknown;
	};
}

function spreadsheetLibrary(): SpreadsheetLibrary {
	const nodes = join(n8nFolder(), 'node_modules', 'n8n-nodes-base', 'package.json');
	return createRequire(nodes)('@e965/xlsx') as SpreadsheetLibrary;
}

/** The rows of the first sheet of a spreadsheet, with its first row as keys. */
export function readSheet(content: Buffer): JsonObject[] {
	const library = spreadsheetLibrary();
	const [sheet] = Object.values(library.read(content).Sheets);
	if (!isRecord(sheet)) throw new Error('The spreadsheet has no sheet');
	return recordsIn(library.utils.sheet_to_json(sheet, { defval: null }));
}

/** An Excel file with these rows in its only sheet. */
export function excelFile(rows: object[]): Buffer {
	const { utils, write } = spreadsheetLibrary();
	const workbook = { SheetNames: ['Export'], Sheets: { Export: utils.json_to_sheet(rows) } };
	return write(workbook, { type: 'buffer', bookType: 'xlsx' });
}
