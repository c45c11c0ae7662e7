// What a placed call and a wait cost the service in requests and rows of its call list: the built node in the real
// n8n-core, one call per execution, against a service whose list has so many calls of the last 24 hours. Executions
// begin 1.1 seconds apart, so that none is answered by what the one before has read. Every 15 minutes of use, one
// whole reading comes on top (a page per 500 calls).
// Run: npm run build && npm run bench:call-list [calls measured]
import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { openListService } from '../test/engine/support/calls/list-service.mts';
import { ProcessedData } from '../test/engine/support/calls/processedData.mts';
import { startEngine } from '../test/engine/support/harness/index.mts';
import { core } from '../test/engine/support/harness/n8n.mts';

const [measured = 20] = process.argv.slice(2).map(Number);
const DAY_MS = 86_400_000;
const TWO_MINUTES = 120_000;

const engine = await startEngine();
await core.DataDeduplicationService.init(new ProcessedData());

let drivers = 0;

async function startService(perDay: number) {
	let placed = 0;
	const service = await openListService(({ toPhone, loadNumber }) => ({
		...{ id: 1_000_000 + placed++, toPhone, loadIds: [loadNumber] },
		createdAt: new Date().toISOString(),
	}));
	for (let nth = perDay; nth > 0; nth--) {
		const createdAt = new Date(Date.now() - (nth * DAY_MS) / perDay).toISOString();
		service.calls.push({ id: nth, createdAt, toPhone: '+13125550199', loadIds: [`B${nth}`] });
	}
	return service;
}

type Service = Awaited<ReturnType<typeof startService>>;

/** One execution with one call to a number and load of its own. */
async function place({ credentials }: Service, parameters: INodeParameters): Promise<void> {
	const nth = drivers++;
	const number = `(${212 + Math.floor(nth / 100)}) 555-01${String(nth % 100).padStart(2, '0')}`;
	const { items, error } = await engine.runNode(
		{
			...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 1, rules: {} },
			...{ toPhone: number, loadNumber: `M${nth}` },
			...parameters,
		},
		{ credentials },
	);
	if (items[0]?.placement !== 'placed') throw error ?? new Error('The call was not placed');
}

const costOf = ({ pages }: Service) => ({
	gets: pages.length,
	rows: pages.reduce((sum, rows) => sum + rows, 0),
});

async function perCall(perDay: number, parameters: INodeParameters): Promise<string> {
	const service = await startService(perDay);
	await place(service, parameters);
	const first = costOf(service);
	for (let call = 0; call < measured; call++) {
		await wait(1100);
		await place(service, parameters);
	}
	const all = costOf(service);
	await service.close();
	const [gets, rows] = [all.gets - first.gets, all.rows - first.rows].map((sum) => sum / measured);
	return `${gets?.toFixed(1)}, ${rows?.toFixed(0)} (first: ${first.gets}, ${first.rows})`;
}

async function ofWaits(count: number): Promise<string> {
	const service = await startService(0);
	const parameters = { waitForOutcome: 'polling', waitLimit: 5, rules: { skipIfCalledWithin: 0 } };
	// The credential is saved once: another one would be another list.
	await place(service, { rules: { skipIfCalledWithin: 0 } });
	const ended = setTimeout(() => {
		for (const call of service.calls) call['summary'] = 'On time.';
	}, TWO_MINUTES);
	await Promise.all(Array.from({ length: count }, async () => await place(service, parameters)));
	clearTimeout(ended);
	const { gets } = costOf(service);
	await service.close();
	return String(gets);
}

const rules: Array<[string, INodeParameters]> = [
	['Skip If Called Within 10 minutes', { rules: { skipIfCalledWithin: 10 } }],
	['Skip If Called Within 24 hours', { rules: { skipIfCalledWithin: 1440 } }],
	[
		'10 minutes, and Max Calls per Person per Day',
		{ rules: { maxCallsPerNumber: 3, skipIfCalledWithin: 10 } },
	],
];
const days = [100, 1000, 10_000];
try {
	const waits = Promise.all([20, 200].map(ofWaits));
	console.log(
		`| requests, rows per placed call | ${days.map((calls) => `${calls} calls that day`).join(' | ')} |`,
	);
	console.log(`| --- ${days.map(() => '| ---: ').join('')}|`);
	for (const [name, parameters] of rules) {
		const cells = await Promise.all(days.map(async (perDay) => await perCall(perDay, parameters)));
		console.log(`| ${[name, ...cells].join(' | ')} |`);
	}
	const [twenty, twoHundred] = await waits;
	console.log(`\n20 waits of two minutes: ${twenty} requests; 200: ${twoHundred}`);
} finally {
	engine.close();
}
