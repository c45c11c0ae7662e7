import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	ICredentialsEncrypted,
	ICredentialsExpressionResolveValues,
	IDataObject,
	IExecuteData,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentials,
	INodeCredentialsDetails,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { applyGeneric } from './authenticate.mts';
import { core, workflow as n8nWorkflow } from '../n8n.mts';

/** Decrypted credential data by credential type, as passed in by a test. */
export type TestCredentials = Record<string, IDataObject>;

type Row = ICredentialsEncrypted & { id: string };

/**
 * Does what n8n's own CredentialsHelper does (n8n 2.41: credentials-helper.js), with a map instead
 * of the database table: stores encrypted, decrypts what was stored (once), fills in defaults, resolves
 * expressions, applies `authenticate`, and runs `preAuthentication` and stores its token.
 */
export class StoredCredentials extends n8nWorkflow.ICredentialsHelper {
	private readonly rows = new Map<string, Row>();
	/** A credential used in several runs is the same one. */
	private readonly ids = new Map<string, string>();
	/** What was encrypted before is stored again as it was then: most tests have one credential. */
	private readonly encrypted = new Map<string, string>();
	/** By what is stored, as JSON: deriving the key takes 0.1 ms for each request. */
	private readonly decrypted = new Map<string, string>();
	private readonly types: ReadonlyMap<string, ICredentialType>;

	constructor(types: ReadonlyMap<string, ICredentialType>) {
		super();
		this.types = types;
	}

	/** Stores credentials and returns the references for a node. */
	async save(credentials: TestCredentials): Promise<INodeCredentials> {
		const references: INodeCredentials = {};
		for (const [type, data] of Object.entries(credentials)) {
			this.typeNamed(type);
			const content = JSON.stringify([type, data]);
			const id = this.ids.get(content) ?? `${type}-${this.rows.size + 1}`;
			const reference = { id, name: `${type} of the test` };
			this.rows.set(reference.id, { ...reference, type, data: '' });
			await this.updateCredentials(reference, type, data as ICredentialDataDecryptedObject);
			references[type] = reference;
		}
		return references;
	}

	typeNamed(name: string): ICredentialType {
		const found = this.types.get(name);
		if (found) return found;
		throw new Error(`No credential type "${name}": is it registered in package.json and built?`);
	}

	getParentTypes(name: string): string[] {
		const parents = this.typeNamed(name).extends ?? [];
		return parents.flatMap((parent) => [parent, ...this.getParentTypes(parent)]);
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		// n8n merges by name, but only for a type with parents: fields of two methods may share a name.
		if (!this.typeNamed(name).extends) return this.typeNamed(name).properties;
		const merged: INodeProperties[] = [];
		for (const parent of this.typeNamed(name).extends ?? []) {
			n8nWorkflow.NodeHelpers.mergeNodeProperties(merged, this.getCredentialsProperties(parent));
		}
		n8nWorkflow.NodeHelpers.mergeNodeProperties(merged, this.typeNamed(name).properties);
		return merged;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		incoming: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const request = incoming as IHttpRequestOptions;
		const { authenticate } = this.typeNamed(typeName);
		if (typeof authenticate === 'function') return await authenticate(credentials, request);
		if (!authenticate || !workflow || !node) return request;
		return applyGeneric(authenticate, credentials, request, workflow, node);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { properties, preAuthentication } = this.typeNamed(typeName);
		const token = properties.find(
			(property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
		)?.name;
		if (token === undefined || !preAuthentication) return undefined;
		if (credentials[token] !== '' && !credentialsExpired) return undefined;
		const output = await preAuthentication.call(helpers, credentials);
		const reference = node.credentials?.[typeName];
		if (output[token] === undefined || !reference) return undefined;
		const stored = await (await this.getCredentials(reference, typeName)).getData();
		await this.updateCredentials(reference, typeName, { ...stored, ...output } as never);
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication } = this.typeNamed(typeName);
		if (!preAuthentication) return undefined;
		return (await preAuthentication.call(helpers, credentials)) as ICredentialDataDecryptedObject;
	}

	async getCredentials(reference: INodeCredentialsDetails, type: string) {
		const row = this.rows.get(reference.id ?? '');
		if (row?.type !== type)
			throw new Error(`No stored credential "${reference.name}" of "${type}"`);
		return new core.Credentials({ id: row.id, name: row.name }, row.type, row.data);
	}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		reference: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		scope?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const credentials = await this.getCredentials(reference, type);
		const { data = '' } = credentials;
		const content = this.decrypted.get(data) ?? JSON.stringify(await credentials.getData());
		this.decrypted.set(data, content);
		const stored: ICredentialDataDecryptedObject = JSON.parse(content);
		if (raw === true) return stored;
		return this.withDefaults(additionalData, stored, type, mode, executeData, scope);
	}

	/** Fills in a type's defaults and resolves the expressions in a credential's fields. */
	withDefaults(
		additionalData: IWorkflowExecuteAdditionalData,
		stored: ICredentialDataDecryptedObject,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		scope?: ICredentialsExpressionResolveValues,
	): ICredentialDataDecryptedObject {
		const filled = n8nWorkflow.NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			stored as never,
			true,
			false,
			null,
			null,
		);
		if (filled === null || scope === undefined) return (filled ?? {}) as never;
		return scope.workflow.expression.getParameterValue(
			filled,
			scope.runExecutionData,
			scope.runIndex,
			scope.itemIndex,
			scope.node.name,
			scope.connectionInputData,
			mode,
			core.getAdditionalKeys(additionalData, mode, null, { isCredential: true }),
			executeData,
			false,
			filled,
		) as ICredentialDataDecryptedObject;
	}

	async updateCredentials(
		reference: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		const credentials = await this.getCredentials(reference, type);
		const content = JSON.stringify([type, data]);
		if (!this.encrypted.has(content)) {
			await credentials.setData(data);
			this.encrypted.set(content, credentials.getDataToSave().data ?? '');
		}
		if (reference.id) this.ids.set(content, reference.id);
		const row = this.rows.get(reference.id ?? '');
		if (row) row.data = this.encrypted.get(content) ?? '';
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('The harness has no OAuth credentials');
	}
}
