import type { IDataObject, INodeType } from 'n8n-workflow';
import { chain, startEngine } from '../../test/engine/support/harness/index.mts';
import { itemsOf, PAGE, range, type Read, type Service } from './readers.mts';

/**
 * A loop of `fetch` that keeps all rows in order. n8n-core is loaded too, for a fair comparison.
 */
export async function bareReader(service: Service, pagesInParallel: number): Promise<Read> {
	await startEngine({ package: false });
	const readPage = async (query: Record<string, string>): Promise<Page> => {
		const answer = await fetch(`${service.baseUrl}/api/v1/calls?${new URLSearchParams(query)}`, {
			headers: { Authorization: `Bearer ${service.token}` },
		});
		return (await answer.json()) as Page;
	};
	return async () => await loop(readPage, pagesInParallel);
}

/**
 * The same loop as a node without checks or retries: the cost of n8n's request helper, which nodes
 * have to use.
 */
export async function helperReader(service: Service, pagesInParallel: number): Promise<Read> {
	const type = 'carrierLoadCommunicationsApi';
	const url = `${service.baseUrl}/api/v1/calls`;
	const node: INodeType = {
		description: {
			...{ displayName: 'Loop', name: 'loop', group: ['transform'], version: 1, description: '' },
			...{ defaults: { name: 'Loop' }, inputs: ['main'], outputs: ['main'], properties: [] },
			credentials: [{ name: type, required: true }],
		},
		async execute() {
			const send = this.helpers.httpRequestWithAuthentication;
			const readPage = async (qs: Record<string, string>): Promise<Page> =>
				await send.call(this, type, { url, qs, json: true });
			const pairedItem = { item: 0 };
			return [(await loop(readPage, pagesInParallel)).map((json) => ({ json, pairedItem }))];
		},
	};
	const engine = await startEngine({ nodeTypes: { 'bench.loop': node } });
	const credentials = await engine.credentials.save({
		[type]: { baseUrl: service.baseUrl, accessToken: service.token },
	});
	const workflow = chain(
		{ name: 'Start', type: 'testNodes.start' },
		{ name: 'Loop', type: 'bench.loop', credentials },
	);
	return async () => itemsOf(await engine.runWorkflow(workflow, { subject: 'Loop' }));
}

interface Page {
	calls: IDataObject[];
	pagination: { total: number };
}

/** The first page tells the total. The others are read in parallel and kept in order. */
async function loop(
	readPage: (query: Record<string, string>) => Promise<Page>,
	pagesInParallel: number,
): Promise<IDataObject[]> {
	const queryOf = (offset: number) => ({ ...range, limit: `${PAGE}`, offset: `${offset}` });
	const first = await readPage(queryOf(0));
	const pages = [first.calls];
	let next = PAGE;
	const worker = async (): Promise<void> => {
		while (next < first.pagination.total) {
			const offset = next;
			next += PAGE;
			pages[offset / PAGE] = (await readPage(queryOf(offset))).calls;
		}
	};
	await Promise.all(Array.from({ length: pagesInParallel }, worker));
	return pages.flat();
}
