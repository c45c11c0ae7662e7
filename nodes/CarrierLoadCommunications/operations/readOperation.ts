import { collection, fields } from '../../shared/fields/collection';
import type { Declarations } from '../../shared/fields/fieldTypes';
import { output } from '../fields/output';
import { requestOptions } from '../fields/requestOptions';
import type { ItemOperation, Operation, ReadOperation } from './operation';
import { runItems, shapedRows } from './runItems';

export function itemOperation<Values, Options extends Declarations>(
	operation: ItemOperation<Values, Options>,
): Operation {
	const { name, value, action, description, form, executeItem } = operation;
	const declared = { ...operation.options, ...requestOptions };
	const options = collection('Options', 'Add Option', declared);
	const optionNames = Object.keys(declared);
	return {
		...{ name, value, action, description },
		fields: [...form.properties, ...options.properties('options')],
		execute: runItems.bind(undefined, { action, form, options, optionNames, executeItem }),
	};
}

export function readOperation<Declared extends Declarations>({
	fields: declared,
	rows: rowFields,
	aboutOutput,
	read,
	...names
}: ReadOperation<Declared>): Operation {
	const form = fields({ ...declared, output: output(rowFields, aboutOutput) });
	return itemOperation({ ...names, form, options: {}, executeItem: shapedRows(read) });
}
