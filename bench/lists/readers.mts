import { createRequire } from 'node:module';
import type { INodeType, IVersionedNodeType } from 'n8n-workflow';
import { chain, startEngine, type EngineRun } from '../../test/engine/support/harness/index.mts';
import { trustTheService } from './built-reader.mts';

export interface Service {
	baseUrl: string;
	token: string;
}

/** Reads all calls. Resolves to what it keeps, one entry per call. */
export type Read = () => Promise<unknown[]>;

export const PAGE = 500;
export const range = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };

/** This package's Get Many, of calls unless told otherwise, in the real n8n-core. */
export async function nodeReader(
	service: Service,
	pagesInParallel: number | undefined,
	output: 'simplified' | 'all',
	{ resource = 'call', trusting = false } = {},
): Promise<Read> {
	const engine = await startEngine();
	if (trusting) trustTheService();
	const parameters = {
		resource,
		operation: 'getAll',
		timeRange: 'custom',
		...range,
		returnAll: true,
		output,
		options: pagesInParallel === undefined ? {} : { pagesInParallel },
	};
	const credentials = {
		carrierLoadCommunicationsApi: { baseUrl: service.baseUrl, accessToken: service.token },
	};
	return async () => itemsOf(await engine.runNode(parameters, { credentials }));
}

/** n8n's HTTP Request node with its own pagination, then Split Out, in the real n8n-core. */
export async function httpRequestReader(service: Service, n8n: string): Promise<Read> {
	const require = createRequire(n8n);
	const nodeType = (path: string, name: string): INodeType | IVersionedNodeType =>
		new (require(`n8n-nodes-base/dist/nodes/${path}`)[name])();
	const engine = await startEngine({
		nodeTypes: {
			'n8n-nodes-base.httpRequest': nodeType('HttpRequest/HttpRequest.node.js', 'HttpRequest'),
			'n8n-nodes-base.splitOut': nodeType('Transform/SplitOut/SplitOut.node.js', 'SplitOut'),
		},
	});
	const query = { ...range, limit: String(PAGE) };
	const request = {
		url: `${service.baseUrl}/api/v1/calls`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'carrierLoadCommunicationsApi',
		sendQuery: true,
		queryParameters: {
			parameters: Object.entries(query).map(([name, value]) => ({ name, value })),
		},
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'offset', value: `={{ $pageCount * ${PAGE} }}` }],
					},
					paginationCompleteWhen: 'other',
					completeExpression: `={{ $pageCount * ${PAGE} >= $response.body.pagination.total }}`,
				},
			},
		},
	};
	const stored = await engine.credentials.save({
		carrierLoadCommunicationsApi: { baseUrl: service.baseUrl, accessToken: service.token },
	});
	const workflow = chain(
		{ name: 'Start', type: 'testNodes.start' },
		{
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: request,
			credentials: stored,
		},
		{
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'calls', options: {} },
		},
	);
	return async () => itemsOf(await engine.runWorkflow(workflow, { subject: 'Split Out' }));
}

/** The items of a run, if it succeeded. */
export function itemsOf(run: EngineRun): unknown[] {
	if (run.status !== 'success') throw run.error ?? new Error(`The run ended as ${run.status}`);
	if (run.hints.length > 0) throw new Error(String(run.hints[0]?.message));
	return run.output();
}
