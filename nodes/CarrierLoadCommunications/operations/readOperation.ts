import type { Declarations, ValuesOf } from '../../shared/fields/field';
import { both, fields } from '../../shared/fields/form';
import type { List } from '../../shared/service/pagination/types';
import type { RecordFields } from '../../shared/columns/records';
import { output, type Output } from '../fields/output';
import { itemOperation, type ItemRun } from './itemOperation';
import type { Operation, OperationNames } from './operation';

export interface ReadOperation<Declared extends Declarations, Options extends Declarations>
	extends OperationNames {
	fields: Declared;
	options: Options;
	rows: RecordFields;
	/** Descriptions of Simplified and All Fields, if they differ from the usual ones. */
	aboutOutput?: { simplified: string; all: string };
	/**
	 * Returns one item's rows as the service sends them.
	 *
	 * @throws ServiceFailure
	 */
	read(
		values: ValuesOf<Declared> & { options: ValuesOf<Options>; output: Output },
		run: ItemRun,
	): Promise<List>;
}

/** An operation that reads rows from the service and returns them as the user chose. */
export function readOperation<Declared extends Declarations, Options extends Declarations>(
	operation: ReadOperation<Declared, Options>,
): Operation {
	const { rows: rowFields, aboutOutput, read, ...others } = operation;
	return itemOperation({
		...others,
		form: both(fields(operation.fields), fields({ output: output(rowFields, aboutOutput) })),
		async executeItem(values, run) {
			const { rows, hint } = await read(values, run);
			run.hint(hint);
			return rows.map((row) => ({ json: values.output.shape(row) }));
		},
	});
}
