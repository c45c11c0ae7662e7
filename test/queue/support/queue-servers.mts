import { type Server, startPostgres, startRedis } from '../../support/databases.mts';
import { type SlowProxy, startSlowProxy } from './slow-proxy.mts';

/** What n8n needs in queue mode next to its own processes. */
export interface QueueServers {
	redis: Server;
	postgres: Server;
	/** Between n8n and PostgreSQL. */
	database: SlowProxy;
	/** Leads from n8n's public address to one of its processes. */
	front: SlowProxy;
	/** n8n's variables for them. */
	env: Record<string, string>;
	close(): Promise<void>;
}

/** @param mainPort where the public address leads at first */
export async function startQueueServers(mainPort: number): Promise<QueueServers> {
	const front = await startSlowProxy(mainPort, 17);
	const redis = await startRedis();
	const postgres = await startPostgres();
	const database = await startSlowProxy(postgres.port, 13);
	return {
		...{ redis, postgres, database, front },
		env: {
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: 'queue-tests-only',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(database.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_PASSWORD: 'n8n',
		},
		async close() {
			await front.close();
			await database.close();
			await redis.stop();
			await postgres.stop();
		},
	};
}
