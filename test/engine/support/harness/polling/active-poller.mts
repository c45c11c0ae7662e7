import { isDeepStrictEqual } from 'node:util';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IPollFunctions,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { additionalDataFor } from '../additional-data.mts';
import type { StoredCredentials } from '../credentials/stored-credentials.mts';
import { core } from '../n8n.mts';

/** n8n 2.41 gives a poll of the durable scheduler 45 s, less a margin of 9 s. */
const DURABLE_BUDGET_MS = 36_000;

type Build = (staticData: IDataObject) => Promise<{ workflow: Workflow; node: INode }>;

export interface ActivePollerOptions {
	/** n8n's durable poll cursors (N8N_POLLER_DURABLE_CURSORS_ENABLED). */
	durable?: boolean;
	/** How long n8n says that a poll may take, in milliseconds, instead of its default. */
	budgetMs?: number;
}

/**
 * A published workflow that n8n polls, with what n8n 2.41 does around a poll. The next poll starts
 * while the last is still running, both see the same static data, and the database gets it only
 * when the workflow is published and when an execution starts (n8n-core: poll-trigger-executor.js;
 * n8n: trigger-execution-context.factory.js, active-workflow-manager.js). With durable cursors,
 * each poll gets its own copy, which is stored in one transaction with the execution, or after an
 * empty poll (n8n: poll-trigger-task-handler.js, poll-cursor.service.js).
 * test/e2e/n8n/models.test.mts and test/e2e/triggers/polling-durable.test.mts compare it with a real n8n.
 */
export class ActivePoller {
	/** The workflow's static data in n8n's database. */
	stored: IDataObject = {};
	/** The items of each started execution. */
	readonly executions: IDataObject[][] = [];
	/** Polls that n8n shows as failed executions. */
	readonly failures: unknown[] = [];
	/** Set to lose the next save of static data, as in a crash while an execution starts. */
	losesNextSave = false;

	private cursor: IDataObject | undefined;
	private current: { workflow: Workflow; node: INode } | undefined;
	private readonly running = new Set<Promise<void>>();

	private build: Build;
	private readonly credentials: StoredCredentials;
	/** May be changed between polls. */
	readonly options: ActivePollerOptions;

	constructor(build: Build, credentials: StoredCredentials, options: ActivePollerOptions = {}) {
		this.build = build;
		this.credentials = credentials;
		this.options = { ...options };
	}

	/** Items of all executions, in the order of their start. */
	get items(): IDataObject[] {
		return this.executions.flat();
	}

	/**
	 * Publishes the workflow, which polls immediately, or starts it again with n8n (`init`).
	 *
	 * @throws the first poll's error: n8n then refuses to publish
	 */
	async publish(activation: WorkflowActivateMode = 'activate', build?: Build): Promise<void> {
		this.build = build ?? this.build;
		const current = await this.build(structuredClone(this.stored));
		this.current = current;
		await this.run(current, activation, true);
		this.save(current.workflow);
	}

	unpublish(): void {
		this.current = undefined;
	}

	/** A scheduled poll. Does not wait for earlier ones. */
	async poll(): Promise<void> {
		const { current } = this;
		if (!current) return;
		const poll = this.run(current, 'activate').catch((error: unknown) => {
			if (this.current === current) this.failures.push(error);
		});
		this.running.add(poll);
		await poll.finally(() => this.running.delete(poll));
	}

	/** Kills and restarts n8n: running polls return nothing, and the memory is the database's. */
	async crash(): Promise<void> {
		this.unpublish();
		await Promise.all(this.running);
		await this.publish('init');
	}

	private async run(
		current: { workflow: Workflow; node: INode },
		activation: WorkflowActivateMode,
		isPublishing = false,
	): Promise<void> {
		const { workflow, node } = current;
		const additionalData = additionalDataFor(workflow, this.credentials, 'trigger', '0');
		const seed = this.cursor ?? toPlain(workflow.getStaticData('node', node));
		const snapshot = structuredClone(seed);
		const none = [undefined, undefined, undefined, undefined] as const;
		const { durable = false, budgetMs = durable ? DURABLE_BUDGET_MS : undefined } = this.options;
		const context = new core.PollContext(
			...([workflow, node, additionalData, 'trigger', activation] as const),
			...none,
			durable ? () => snapshot : undefined,
			budgetMs === undefined ? undefined : () => budgetMs,
		);
		const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		const output = await type.poll?.call(context as unknown as IPollFunctions);
		if (this.current !== current) return;
		// The first poll after publishing stores its cursor only with an execution.
		const isStored = output !== null || !isPublishing;
		if (durable && isStored && !isDeepStrictEqual(snapshot, seed)) {
			this.cursor = snapshot;
		}
		if (output) this.emit(workflow, output);
	}

	private emit(workflow: Workflow, output: INodeExecutionData[][]): void {
		if (this.losesNextSave) this.losesNextSave = false;
		else this.save(workflow);
		this.executions.push((output[0] ?? []).map(({ json }) => structuredClone(json)));
	}

	private save({ staticData }: Workflow): void {
		this.stored = toPlain(staticData);
	}
}

function toPlain(data: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(data)) as IDataObject;
}
