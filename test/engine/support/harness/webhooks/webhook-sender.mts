import type {
	IDataObject,
	INodeExecutionData,
	IRunExecutionData,
	IWebhookResponseData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { LogLine } from '../logs.mts';

export interface WebhookRequest {
	method?: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'DELETE' | 'PATCH';
	headers?: Record<string, string>;
	/** Sent as it is; a JSON content type must be in `headers`. */
	rawBody?: string | Uint8Array;
	/** Sent as JSON with its content type. */
	body?: unknown;
	query?: Record<string, string>;
	/** Which of the node's webhooks; `default` when left out. */
	webhook?: string;
	/** How long the sender waits for an answer before it gives up, in ms. */
	patienceMs?: number;
	/** `webhook` (the default) is the production address, `manual` the editor's test address. */
	mode?: WorkflowExecuteMode;
	/** The execution that waits for this request, when the node had put it to wait. */
	waiting?: IRunExecutionData;
	/** The base URL of this n8n, under which it resumes executions. */
	n8nUrl?: string;
	/** How n8n stores the execution that the request starts; throws when it fails to. */
	store?: () => Promise<void>;
}

export interface WebhookAnswer {
	/** What the sender saw; undefined when it gave up waiting. */
	status: number | undefined;
	headers: Record<string, string>;
	body: unknown;
	/** What the node returned, as far as it returned at all. */
	result: IWebhookResponseData | undefined;
	workflowData: INodeExecutionData[][] | undefined;
	noWebhookResponse: boolean;
	/** Whether n8n starts (or resumes) an execution. */
	started: boolean;
	error: unknown;
	staticData: IDataObject;
	logs: LogLine[];
}

/** What a sender sees of an answer. */
export type Seen = Pick<WebhookAnswer, 'status' | 'headers' | 'body'>;

/** Sends the request to the loopback; a sender that loses its patience sees no status. */
export async function send(port: number, request: WebhookRequest): Promise<Seen> {
	const query = new URLSearchParams(request.query).toString();
	const json = request.body === undefined ? undefined : JSON.stringify(request.body);
	const body = request.rawBody ?? json;
	const init: RequestInit = {
		method: request.method ?? 'POST',
		headers: {
			...(json === undefined ? {} : { 'content-type': 'application/json' }),
			...request.headers,
		},
		body: body === undefined ? null : Buffer.from(body as string),
		signal: AbortSignal.timeout(request.patienceMs ?? 120_000),
	};
	const address = `http://127.0.0.1:${port}/webhook${query && `?${query}`}`;
	const response = await fetch(address, init).catch((error: unknown) => {
		if ((error as Partial<Error>).name === 'TimeoutError') return undefined;
		throw error;
	});
	if (!response) return { status: undefined, headers: {}, body: undefined };
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json') === true;
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		body: isJson && text ? (JSON.parse(text) as unknown) : text,
	};
}
