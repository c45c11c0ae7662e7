import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { Parameters } from '../../shared/fields/parameters';
import type { CallSubject, Metadata } from '../../shared/service/contract';
import { isJsonObject } from '../../shared/service/json';
import type { PlannedCall } from './call';
import type { CallingRules, CallItem, CallRequests, ReadyItem } from './item';
import type { CallKeys } from './keys';
import { addReference, readMetadata } from './metadata';
import { readToPhone } from './phone';
import type { RulesReader } from './rules/readRules';
import type { WaitSettings } from './settings';
import { withResumeUrl } from './wait';

/** Reads and checks all fields of one item. Items must be planned in order. @throws InvalidParameter */
export function planCall<Values extends object>(
	context: IExecuteFunctions,
	parameters: Parameters,
	requests: CallRequests<Values>,
	wait: WaitSettings,
	keys: CallKeys,
	rulesReader: RulesReader,
): { call: PlannedCall; rules: CallingRules } {
	const values = requests.form.read(parameters);
	const own = readToPhone(parameters);
	const rules = rulesReader.read(parameters);
	const { testNumber } = rules;
	const toPhone = testNumber?.toPhone ?? own;
	const about = requests.about(values);
	const metadata = requests.takesMetadata
		? metadataOf(context, parameters, wait, about.subject)
		: undefined;
	const test = testNumber && { intendedPhone: own, testedBy: testNumber.decidedBy };
	const details = { kind: requests.kind, toPhone, ...test, metadata, ...about };
	return {
		rules,
		call: {
			...details,
			identity: keys.identify(details, parameters.itemIndex),
			skipWithinMs: rules.skipWithinMs,
			body: { ...requests.body(values), toPhone, metadata },
			readAnswer: requests.readAnswer,
		},
	};
}

/**
 * The user's metadata, what the call is about, because an event may have only the metadata (contract
 * 6), and n8n's own reference (execution, node, item). The user's keys take precedence.
 */
function metadataOf(
	context: IExecuteFunctions,
	parameters: Parameters,
	wait: WaitSettings,
	{ loadNumber, loadId, dotNumber }: CallSubject,
): Metadata | undefined {
	const reference = addReference.read(parameters, 'options.addReference') && {
		...(loadNumber !== undefined && { loadNumber }),
		...(loadId !== undefined && { loadId }),
		...(dotNumber !== undefined && { dotNumber }),
		n8nWorkflowId: String(context.getWorkflow().id ?? ''),
		n8nExecutionId: context.getExecutionId(),
		n8nNode: parameters.node.name,
		n8nItem: parameters.itemIndex,
	};
	const all = { ...reference, ...(hasRows(parameters) && readMetadata(parameters)) };
	if (wait.mode === 'webhook') return withResumeUrl(context, parameters.itemIndex, all);
	return Object.keys(all).length > 0 ? all : undefined;
}

function hasRows({ node }: Parameters): boolean {
	const { metadata = {}, metadataFrom = 'entries' } = node.parameters;
	return metadataFrom !== 'entries' || !isJsonObject(metadata) || Object.keys(metadata).length > 0;
}

/** n8n 2.41 evaluates expressions in an isolate: entering it for each item is slow (docs/contributing/measurements.md). */
const BATCH = 20;

export function isReady(item: CallItem): item is ReadyItem {
	return item.call !== undefined && item.rules !== undefined;
}

/** Checks all items in order. @param prepare evaluates an item's expressions; like `failed`, must not throw */
export async function planItems(
	count: number,
	prepare: (itemIndex: number) => Parameters,
	plan: (parameters: Parameters) => Omit<CallItem, 'itemIndex'>,
	failed: (parameters: Parameters, problem: unknown) => Omit<CallItem, 'itemIndex'>,
): Promise<CallItem[]> {
	const items: CallItem[] = [];
	while (items.length < count) {
		const batch: Parameters[] = [];
		for (let next = items.length; next < count && batch.length < BATCH; next++) {
			batch.push(prepare(next));
		}
		for (const parameters of batch) {
			const { itemIndex } = parameters;
			try {
				items.push({ itemIndex, ...plan(parameters) });
			} catch (problem) {
				items.push({ itemIndex, ...failed(parameters, problem) });
			}
		}
		// n8n's other work gets a turn.
		if (items.length < count) await sleep(0);
	}
	return items;
}
