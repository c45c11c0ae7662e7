import { randomUUID } from 'node:crypto';
import { exampleTables, exampleWorkflows } from '../../../../playground/demo/examples.mts';
import { isRecord, type JsonObject, textIn } from '../../../../playground/n8n/rest.mts';
import {
	SANDBOX_CREDENTIAL,
	SANDBOX_CREDENTIAL_TYPE,
} from '../../../../playground/setup/import-examples.mts';
import { whereItIsNoon } from '../../../e2e/examples/support/where-it-is-noon.mts';
import { runSql } from '../../../support/databases.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { Cluster } from '../cluster.mts';

export const ANSWERS = '+13125550121';
/** The sandbox's number that nobody answers. */
const UNANSWERED = '+13125550190';

const TABLE = 'loads_to_reach';
const ROWS_PER_REQUEST = 100;

export interface Load {
	loadNumber: string;
	driverPhone: string;
	dispatcherPhone: string;
}

/** A row of loads_to_reach. */
export interface LadderRow {
	loadNumber: string;
	state: string;
	/** The execution that claimed it last. */
	claim: string;
	outcome: string;
	changedAt: Date;
}

/** A third of the drivers answers; of the others, every second load has a dispatcher who does. */
export function newLoads(count: number): Load[] {
	return Array.from({ length: count }, (_, nth) => ({
		loadNumber: String(60_000 + nth),
		driverPhone: nth % 3 === 0 ? ANSWERS : UNANSWERED,
		dispatcherPhone: nth % 3 === 1 ? ANSWERS : UNANSWERED,
	}));
}

/** n8n in queue mode that soon notices a killed worker. */
export async function openLadderCluster(): Promise<Cluster> {
	const cluster = new Cluster();
	cluster.concurrency = 5;
	await cluster.open('queue', {
		// With n8n's defaults it takes minutes until a killed worker's execution is shown as failed.
		QUEUE_WORKER_LOCK_DURATION: '15000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
		GENERIC_TIMEZONE: whereItIsNoon(),
	});
	return cluster;
}

/** The example examples/jobs/no-answer-ladder.json in queue mode, with quicker settings. */
export class Ladder {
	private readonly cluster: Cluster;
	private readonly id: string;
	private readonly changes: Record<string, Change>;

	private constructor(cluster: Cluster, id: string, changes: Record<string, Change>) {
		this.cluster = cluster;
		this.id = id;
		this.changes = changes;
	}

	/**
	 * Imports it with these loads. It does not run before `start`.
	 *
	 * @param seconds how often it runs
	 */
	static async create(
		cluster: Cluster,
		loads: Load[],
		{ loadsPerRun, seconds }: { loadsPerRun: number; seconds: number },
	): Promise<Ladder> {
		const { session, sandbox } = cluster;
		const data = { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north };
		await session.createCredential({
			name: SANDBOX_CREDENTIAL,
			type: SANDBOX_CREDENTIAL_TYPE,
			data,
		});
		// Without the rows that they begin with in the playground.
		for (const table of exampleTables()) await session.createDataTable({ ...table, rows: [] });
		for (let from = 0; from < loads.length; from += ROWS_PER_REQUEST) {
			const rows = loads.slice(from, from + ROWS_PER_REQUEST);
			const more = { nextStopIndex: 1, driverName: 'Ana Ruiz' };
			await session.addDataTableRows(
				TABLE,
				rows.map((load) => ({ ...load, ...more })),
			);
		}
		const settings = {
			minutesBetweenTries: 0.03,
			loadsPerRun,
			hoursFrom: '00:00',
			hoursTo: '24:00',
		};
		const interval = [{ field: 'seconds', secondsInterval: seconds }];
		const changes: Record<string, Change> = {
			Settings: (parameters) => withSettings(parameters, settings),
			'Every minute': () => ({ rule: { interval } }),
		};
		const id = textIn(await session.createWorkflow(ladderWith(changes)), 'id');
		return new Ladder(cluster, id, changes);
	}

	async start(): Promise<void> {
		await this.cluster.session.activate(this.id);
	}

	/** Stops it, and resolves when no run is in progress. */
	async stop(): Promise<void> {
		await this.cluster.session.deactivate(this.id);
		const isQuiet = async () => (await this.runningExecutions()).length === 0;
		await waitUntil('the last run of the ladder', isQuiet, 1_200_000);
	}

	async rows(): Promise<LadderRow[]> {
		return (await this.table(TABLE)).map((row) => ({
			...{ loadNumber: textIn(row, 'loadNumber'), state: textIn(row, 'state') },
			...{ claim: textIn(row, 'claim'), outcome: textIn(row, 'outcome') },
			changedAt: new Date(String(row['updatedAt'])),
		}));
	}

	/** The loads in calls_to_make_by_hand, one for each row. */
	async byHand(): Promise<string[]> {
		const rows = await this.table('calls_to_make_by_hand');
		return rows.map((row) => textIn(row, 'loadNumber'));
	}

	async runningExecutions(): Promise<string[]> {
		const rows = await runSql(
			this.cluster.servers.postgres.port,
			`select id from execution_entity
			where "workflowId" = '${this.id}' and status in ('new', 'running')`,
		);
		return rows.map(({ id }) => String(id));
	}

	/**
	 * Runs it once as if the hour had passed after which a claimed load counts as left over: what was
	 * claimed before this time.
	 */
	async sweep(before: Date): Promise<void> {
		const { session } = this.cluster;
		const conditions = [
			{ keyName: 'state', condition: 'eq', keyValue: 'calling' },
			{ keyName: 'updatedAt', condition: 'lt', keyValue: before.toISOString() },
		];
		const leftOver = { 'Stopped while calling': () => ({ filters: { conditions } }) };
		const workflow = ladderWith({ ...this.changes, ...leftOver });
		const id = textIn(await session.createWorkflow({ ...workflow, name: 'Sweep' }), 'id');
		const path = `/rest/workflows/${id}/run`;
		const body = { triggerToStartFrom: { name: 'Run manually' } };
		const run = textIn(await session.rest.send('sweep', 'POST', path, body), 'executionId');
		const isOver = async () => (await session.executions.status(run)) === 'success';
		await waitUntil('the sweep', isOver, 1_200_000);
	}

	private async table(name: string): Promise<JsonObject[]> {
		const table = (await this.cluster.session.dataTables()).find((one) => one['name'] === name);
		const sql = `select * from "data_table_user_${textIn(table, 'id')}" order by id`;
		return await runSql(this.cluster.servers.postgres.port, sql);
	}
}

type Change = (parameters: JsonObject) => JsonObject;

/** A copy of the example, with other parameters for the nodes named. */
function ladderWith(changes: Record<string, Change>) {
	const example = exampleWorkflows().find(({ id }) => id === 'noAnswerLadder');
	if (!example) throw new Error('The example of the ladder is missing');
	const nodes = example.nodes.map((node) => {
		const parameters = isRecord(node['parameters']) ? node['parameters'] : {};
		const change = changes[textIn(node, 'name')];
		return change ? { ...node, parameters: { ...parameters, ...change(parameters) } } : node;
	});
	const { name, connections, settings = {} } = example;
	return { id: randomUUID().slice(0, 16), name, nodes, connections, settings };
}

/** The Settings node's assignments with other values for some of them. */
function withSettings(parameters: JsonObject, values: Record<string, number | string>): JsonObject {
	const { assignments } = structuredClone(parameters['assignments']) as {
		assignments: { name: string; value: unknown }[];
	};
	for (const one of assignments) one.value = values[one.name] ?? one.value;
	return { assignments: { assignments } };
}
