import type {
	IAuthenticateGeneric,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INode,
	Workflow,
} from 'n8n-workflow';
import { workflow as n8nWorkflow } from '../n8n.mts';

type Sections = Record<string, Record<string, unknown>>;

/** Applies a credential type's generic `authenticate` to a request, with resolved expressions. */
export function applyGeneric(
	authenticate: IAuthenticateGeneric,
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	workflow: Workflow,
	node: INode,
): IHttpRequestOptions {
	const scope = { $credentials: credentials } as never;
	const resolve = (value: unknown): unknown => {
		if (typeof value !== 'string' || !n8nWorkflow.isExpression(value)) return value;
		const { expression } = workflow;
		return String(
			expression.getSimpleParameterValue(node, value, 'internal', scope, undefined, '') || '',
		);
	};
	request.headers ??= {};
	const sections = request as unknown as Sections;
	for (const [section, entries] of Object.entries(authenticate.properties)) {
		const target = (sections[section] ??= {});
		for (const [key, value] of Object.entries(entries ?? {})) {
			target[String(resolve(key))] = resolve(value);
		}
	}
	return request;
}
