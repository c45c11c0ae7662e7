import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../../shared/service/http/json';
import type { KnownCall } from './knownCalls';

/**
 * The dialed calls of all nodes of an execution, in the execution's own data (n8n-core 2.41:
 * `getContext('flow')`), which Retry On Fail, the editor's retry and a wait keep.
 */
export class StoredCalls {
	private readonly calls: IDataObject;

	constructor(context: IExecuteFunctions) {
		const memory = context.getContext('flow');
		this.calls = isJsonObject(memory.placedCalls) ? memory.placedCalls : {};
		memory.placedCalls = this.calls;
	}

	keys(): string[] {
		return Object.keys(this.calls);
	}

	/** Those of a run of a node, including its earlier tries. */
	ofRun(run: string): KnownCall[] {
		return this.keys()
			.flatMap((key) => this.get(key) ?? [])
			.filter((call) => call.run === run);
	}

	get(key: string): KnownCall | undefined {
		const stored = this.calls[key];
		return isJsonObject(stored) ? read(key, stored) : undefined;
	}

	set({ key, ...call }: KnownCall): void {
		this.calls[key] = { ...call };
	}

	delete(key: string): void {
		delete this.calls[key];
	}
}

function read(key: string, stored: IDataObject): KnownCall {
	const { state, line, account, load, target, from, until, row, why, interrupted } = stored;
	return {
		key,
		state: state === 'done' && isJsonObject(row) ? 'done' : 'dialing',
		line: String(line),
		account: String(account),
		load: typeof load === 'string' ? load : undefined,
		target: String(target),
		from: Number(from),
		until: Number(until),
		...{ run: String(stored.run), execution: String(stored.execution) },
		...{ what: String(stored.what), itemIndex: Number(stored.itemIndex) },
		...(isJsonObject(row) && { row }),
		...(typeof why === 'string' && { why }),
		...(interrupted === true && { interrupted }),
	};
}
