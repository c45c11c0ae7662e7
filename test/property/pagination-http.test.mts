import fc from 'fast-check';
import { ServiceFailure } from '../../nodes/shared/service/http/failure.ts';
import {
	callRows,
	casesOf,
	differentBids,
	honestTotals,
	lowTotals,
	troubledLists,
} from './support/pagination/cases.mts';
import { HttpService, weather } from './support/pagination/http-service.mts';
import { expectNothingTwice, expectWholeOrHint, settings } from './support/pagination/lists.mts';
import { ListServer } from './support/pagination/server.mts';
import { VirtualClock } from './support/virtual-clock.mts';

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
			const cases = troubledLists(rows, identity);
			let [read, met, silent] = [0, 0, 0];
			const property = fc.asyncProperty(cases, weather, async (drawn, spells) => {
				const server = new ListServer(drawn.options);
				const service = new HttpService(server, spells);
				const client = service.client();
				const list = await new VirtualClock().run(async () => {
					const reading =
						what === 'calls'
							? client.readList('calls', range, drawn.paging)
							: client.readList('bids', range, drawn.paging);
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

describe('a list read from a slow service', () => {
	it('ends at once when the user presses Stop, at any moment, and nothing is sent after it', async () => {
		const cases = casesOf({ rows: callRows, report: fc.oneof(honestTotals, lowTotals) });
		const moment = fc.integer({ min: 0, max: 2000 });
		const property = fc.asyncProperty(cases, weather, moment, async (drawn, spells, stopAfter) => {
			const service = new HttpService(new ListServer(drawn.options), spells);
			const clock = new VirtualClock();
			const stop = new AbortController();
			const client = service.client(stop.signal);
			const started = clock.now;
			let sent = Number.POSITIVE_INFINITY;
			const list = await clock.run(async () => {
				setTimeout(() => {
					sent = service.requests;
					stop.abort();
				}, stopAfter);
				return await client
					.readList('calls', range, { ...drawn.paging, onPageFailure: 'partial' })
					.catch((error: unknown) => ({ error }));
			});
			if (clock.now < started + stopAfter) return;
			expect(clock.now).toBe(started + stopAfter);
			expect(service.requests).toBeLessThanOrEqual(sent);
			if ('error' in list) expect(Object(list.error).details.kind).toBe('cancelled');
			else expect(list.rows).toEqual(drawn.options.rows.slice(0, drawn.paging.limit));
		});
		await fc.assert(property, settings);
	});

	it('waits a minute in the middle of Return All when the service asks for it, and is whole', async () => {
		const rows = Array.from({ length: 2000 }, (_, id) => ({ id }));
		const server = new ListServer({ rows, clamp: 500, report: (total) => total, slips: [] });
		const service = new HttpService(server, [undefined, { do: 'throttle', retryAfter: '60' }]);
		const clock = new VirtualClock();
		const started = clock.now;
		const paging = { pageSize: 500, pagesInParallel: 4, onPageFailure: 'error' as const };
		const list = await clock.run(async () => service.client().readList('calls', range, paging));
		expect(list).toEqual({ rows });
		expect(service.requests).toBe(6);
		expect(clock.now - started).toBeGreaterThanOrEqual(60_000);
		expect(clock.now - started).toBeLessThan(70_000);
	});

	it('gives up at the budget of five minutes, and says how long the service asks to wait', async () => {
		const server = new ListServer({ rows: [], clamp: 500, report: () => 0, slips: [] });
		const busy = Array.from({ length: 10 }, () => ({ do: 'throttle', retryAfter: '60' }) as const);
		const clock = new VirtualClock();
		const started = clock.now;
		const paging = { pageSize: 500, pagesInParallel: 4, onPageFailure: 'error' as const };
		const service = new HttpService(server, busy);
		const error = await clock.run(async () =>
			service
				.client()
				.readList('calls', range, paging)
				.catch((thrown: unknown) => thrown),
		);
		expect(Object(error).details.advice).toContain('asks to wait 60 seconds');
		expect(clock.now - started).toBeLessThanOrEqual(300_000);
		expect(service.requests).toBe(5);
	});
});
