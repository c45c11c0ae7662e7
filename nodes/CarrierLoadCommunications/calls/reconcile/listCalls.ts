import type { ServiceClient } from '../../../shared/service/client';
import type { JsonObject } from '../../../shared/service/http/json';
import { callIdOf } from '../output/listedCall';

/**
 * The listed calls of a range (Unix milliseconds) that match, each once, and whether the list was read
 * to its end. @throws ServiceFailure
 */
export async function listCalls(
	client: ServiceClient,
	{ from, until }: { from: number; until: number },
	matches: (call: JsonObject) => boolean,
): Promise<{ calls: JsonObject[]; complete: boolean }> {
	// A page may repeat calls of the previous page while new ones arrive.
	const calls = new Map<string, JsonObject>();
	const query = {
		startTime: new Date(from).toISOString(),
		endTime: new Date(until).toISOString(),
	};
	const { complete } = await client.walkCalls(query, (call) => {
		if (matches(call)) calls.set(callIdOf(call) ?? JSON.stringify(call), call);
		return false;
	});
	return { calls: [...calls.values()], complete };
}
