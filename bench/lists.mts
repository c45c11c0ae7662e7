// How long it takes to read 100,000 calls in pages of 500, at 50 ms per page: this package's node,
// n8n's HTTP Request node with Split Out, and plain loops. Then, for calls and bids, what it costs
// that lists are complete, and how time and memory grow for ten times as many rows. Each run is a
// process of its own; the service (lists/plain-service.mts) answers any page at once. The runs are
// interleaved, so that other load on the machine affects all alike. Medians are shown.
// Run: npm run build && node bench/lists.mts [--quick] [rounds] [rows]. With --quick, the readers are
// not compared. n8n's own nodes are loaded from playground/ (filled by npm start) or N8N_DIRECTORY.
import { compareTrusting } from './lists/completeness.mts';
import { comparePageTimes } from './lists/page-times.mts';
import { measureGrowth } from './lists/growth.mts';
import { compareReaders } from './lists/compare-readers.mts';
import { Results } from './lists/results.mts';
import { withService } from './lists/service.mts';

const LATENCY_MS = 50;

const quick = process.argv.includes('--quick');
const numbers = process.argv.slice(2).filter((each) => each !== '--quick');
const [rounds = quick ? 9 : 5, rows = 100_000] = numbers.map(Number);
const size = { rows, latencyMs: LATENCY_MS };

await comparePageTimes([rows, 10 * rows]);
await withService(10 * rows, async (url) => {
	if (!quick) await compareReaders(new Results(), url, rounds, size);
	const results = new Results();
	await compareTrusting(results, url, rounds, size);
	await measureGrowth(results, url, quick ? 1 : Math.min(rounds, 3), size);
});
