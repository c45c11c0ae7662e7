import fc from 'fast-check';
import { ServiceFailure } from '../../nodes/shared/service/http/failure.ts';
import {
	callRows,
	casesOf,
	deleting,
	differentBids,
	highTotals,
	honestTotals,
	inserting,
	lowTotals,
	readSlips,
	slipsOf,
} from './support/pagination/cases.mts';
import { HttpService, weather } from './support/pagination/http-service.mts';
import { expectNothingTwice, expectWholeOrHint, settings } from './support/pagination/lists.mts';
import { ListServer } from './support/pagination/server.mts';
import { VirtualClock } from './support/pagination/virtual-clock.mts';

const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' };

/** Requests for pages, as the other properties bound them. */
const mostPages = (rows: number, parallel: number) => 4 * (rows + 40 * 5 + 2 * parallel + 40);

/** Each run has a list, a service that errs in every way, and its weather; the clock is its own. */
describe('a list read from a service that misstates totals, moves rows, clamps, throttles and stalls, all at once,', () => {
	it.each([
		['calls', callRows, 'id'],
		['bids', differentBids, 'none'],
	] as const)(
		'is complete without duplicates, or says that it may not be, with a bounded number of requests: %s',
		async (what, rows, identity) => {
			const cases = casesOf({
				rows,
				identity: fc.constant(identity),
				report: fc.oneof(honestTotals, lowTotals, highTotals),
				// An empty first page of which the total says 0 cannot be told from an empty list.
				slips: slipsOf(readSlips, inserting, deleting).map((slips) => [undefined, ...slips]),
				reportsLimit: fc.constant(true),
			});
			let [read, met, silent] = [0, 0, 0];
			const property = fc.asyncProperty(cases, weather, async (drawn, spells) => {
				const server = new ListServer(drawn.options);
				const service = new HttpService(server, spells);
				const client = service.client();
				const list = await new VirtualClock().run(async () => {
					const reading =
						what === 'calls'
							? client.listCalls(range, drawn.paging)
							: client.listBids(range, drawn.paging);
					return await reading.catch((error: unknown) => ({ error }));
				});
				const strikes = spells.slice(0, service.requests).filter(Boolean).length;
				met += strikes;
				const pages = mostPages(drawn.options.rows.length, drawn.paging.pagesInParallel);
				expect(service.requests).toBeLessThanOrEqual(pages + strikes);
				if ('error' in list) {
					// Only if one page met six spells in a row.
					expect(list.error).toBeInstanceOf(ServiceFailure);
					expect(Object(list.error).details.attempts).toBe(6);
					return;
				}
				read++;
				if (list.hint === undefined) silent++;
				const sent = new Map(drawn.options.rows.map((row) => [JSON.stringify(row), row]));
				list.rows = list.rows.map((row) => sent.get(JSON.stringify(row)) ?? row);
				if (identity === 'id' || list.hint === undefined) expectNothingTwice(list);
				expectWholeOrHint(list, server, drawn);
			});
			await fc.assert(property, settings);
			if (settings.path !== undefined || settings.numRuns < 500) return;
			expect(read).toBeGreaterThan(settings.numRuns * 0.9);
			expect(silent).toBeGreaterThan(settings.numRuns * 0.4);
			expect(met).toBeGreaterThan(settings.numRuns);
		},
	);
});
