import type { IExecuteFunctions, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { readOutput, type RowFields, type ShapeRow } from '../../shared/fields/output';
import type { Parameters } from '../../shared/fields/parameters';
import { readTimeoutMs } from '../../shared/fields/requestOptions';
import { connect, type ServiceClient } from '../../shared/service/client';
import { runsAsTool } from '../../shared/fields/runsAsTool';

/** A client that waits as long as the item's options say. */
export async function connectFor(
	context: IExecuteFunctions,
	parameters: Parameters,
): Promise<ServiceClient> {
	return await connect(context, { timeoutMs: readTimeoutMs(parameters) });
}

/** How rows are to be put out for this item, and whether an agent asked for them. */
export function readShape(
	context: IExecuteFunctions,
	parameters: Parameters,
	fields: RowFields,
): ShapeRow {
	return readOutput(parameters, fields, { forAgent: runsAsTool(context) });
}

export function toItems(rows: IDataObject[], shape: ShapeRow): INodeExecutionData[] {
	return rows.map((row) => ({ json: shape(row) }));
}
