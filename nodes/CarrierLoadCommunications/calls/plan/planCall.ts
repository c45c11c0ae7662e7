import type { IExecuteFunctions } from 'n8n-workflow';

import type { Fields } from '../../../shared/fields/form';
import type { Parameters } from '../../../shared/fields/parameters';
import type { CallKind, CallSubject } from '../../../shared/service/callEndpoints';
import type { Metadata } from '../../../shared/service/contract';
import type { JsonObject } from '../../../shared/service/http/json';
import type { CallAnswer } from '../dial/callAnswer';
import { skipIfCalledWithin } from '../fields/callOptions';
import { readMetadata, withReference } from '../fields/metadata';
import { readToPhone } from '../fields/phone';
import type { CallKeys } from '../memory/callKeys';
import { withResumeUrl } from '../wait/waitByWebhook';
import type { RulesReader } from '../rules/fields/readRules';
import type { WaitSettings } from '../fields/wait';
import type { CallDetails, PlannedCall } from './plannedCall';

/** How an operation requests its calls. */
export interface CallRequests<Values extends object> {
	kind: CallKind;
	/** Whether the endpoint accepts metadata; the one for agent calls doesn't (contract 4.8). */
	takesMetadata: boolean;
	form: Fields<Values>;
	/** What the call is about, and the variables sent with it. */
	about(values: Values): Pick<CallDetails, 'subject' | 'dynamicVariables'>;
	/** The request's body, besides number and metadata. */
	body(values: Values): object;
	/** @param words the service's own words in the response, if there are some */
	readAnswer(answer: JsonObject, words: string | undefined): CallAnswer;
}

/** Reads and checks all fields of one item. Items must be planned in order. @throws InvalidParameter */
export function planCall<Values extends object>(
	context: IExecuteFunctions,
	parameters: Parameters,
	requests: CallRequests<Values>,
	wait: WaitSettings,
	keys: CallKeys,
	rulesReader: RulesReader,
): PlannedCall {
	const values = requests.form.read(parameters);
	const own = readToPhone(parameters);
	const rules = rulesReader.read(parameters);
	const toPhone = rules.testNumber ?? own.toPhone;
	const about = requests.about(values);
	const metadata = requests.takesMetadata
		? readAllMetadata(context, parameters, wait, about.subject)
		: undefined;
	const skipWithinMs = skipIfCalledWithin.read(parameters, 'skipIfCalledWithin');
	const insteadOf = rules.testNumber === undefined ? undefined : own.toPhone;
	const details = { kind: requests.kind, toPhone, insteadOf, metadata, ...about };
	return {
		...details,
		rules,
		asIs: own.asIs && rules.testNumber === undefined,
		known: keys.identify(details, parameters.itemIndex),
		skipWithinMs,
		body: { ...requests.body(values), toPhone, metadata },
		readAnswer: requests.readAnswer,
	};
}

function readAllMetadata(
	context: IExecuteFunctions,
	parameters: Parameters,
	wait: WaitSettings,
	subject: CallSubject,
): Metadata | undefined {
	const own = readMetadata(parameters);
	const metadata = withReference(context, parameters, subject, own);
	if (wait.mode === 'webhook') return withResumeUrl(context, parameters.itemIndex, metadata);
	return Object.keys(metadata).length > 0 ? metadata : undefined;
}
