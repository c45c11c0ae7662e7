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
	/** Sent as is. Set a JSON content type in `headers`. */
	rawBody?: string | Uint8Array;
	/** Sent as JSON with its content type. */
	body?: unknown;
	query?: Record<string, string>;
	/** Which of the node's webhooks; `default` by default. */
	webhook?: string;
	/** How long the sender waits for a response, in milliseconds. */
	patienceMs?: number;
	/** `webhook` (the default) is the production URL, `manual` the editor's test URL. */
	mode?: WorkflowExecuteMode;
	/** The execution that is waiting for this request, if the node paused it. */
	waiting?: IRunExecutionData;
	/** This n8n's base URL, under which it resumes executions. */
	n8nUrl?: string;
	/** How n8n stores the execution that the request starts; throws to simulate a failure. */
	store?: () => Promise<void>;
}

export interface WebhookAnswer {
	/** The sender's view; undefined if it gave up waiting. */
	status: number | undefined;
	headers: Record<string, string>;
	body: unknown;
	/** What the node returned, if it returned. */
	result: IWebhookResponseData | undefined;
	workflowData: INodeExecutionData[][] | undefined;
	noWebhookResponse: boolean;
	/** Whether n8n starts (or resumes) an execution. */
	started: boolean;
	error: unknown;
	staticData: IDataObject;
	logs: LogLine[];
}

/** A response as the sender sees it. */
export type Seen = Pick<WebhookAnswer, 'status' | 'headers' | 'body'>;

/** Sends the request locally. A sender that gives up sees no status. */
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
